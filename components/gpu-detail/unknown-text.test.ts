import { expect, test } from 'vitest'
import { catalogNote, framebufferReason, numaReason, originOf } from './unknown-text'

const nvidia = { vendorId: '10de', framework: 'mdev' } as const
const virtual = { ...nvidia, vendorId: null }

test('a virtual parent has neither memory nor a node, and nvidia-smi is not the reason', () => {
  expect(framebufferReason(virtual)).toBe('not applicable to a virtual device')
  expect(numaReason(virtual)).toBe('not applicable to a virtual device')
})

test('the reason for a real card names the source without a value', () => {
  expect(framebufferReason(nvidia)).toBe('not reported by nvidia-smi, and no vGPU type uses the whole card')
  expect(framebufferReason({ ...nvidia, vendorId: '8086' })).toBe('not reported by any vGPU type')
  expect(numaReason(nvidia)).toBe(
    'the kernel reports -1: the host has one node, or its firmware does not report it',
  )
})

test('the note of a vendor-VFIO card states that the driver lists its types currently', () => {
  expect(catalogNote(nvidia, 17)).toBe('17, as reported by the driver')
  expect(catalogNote({ ...nvidia, framework: 'vendor-vfio' }, 1)).toBe('1 currently listed by the driver')
})

test('a type has its origin', () => {
  const type = { typeId: 'nvidia-1154', name: 'NVIDIA L40S-16Q', shortName: 'L40S-16Q', isFromStore: false }
  expect(originOf(type)).toBe('host')
  expect(originOf({ ...type, name: null })).toBe('published')
  expect(originOf({ ...type, name: null, shortName: 'nvidia-1154' })).toBe('host')
  expect(originOf({ ...type, name: null, isFromStore: true })).toBe('stored')
})

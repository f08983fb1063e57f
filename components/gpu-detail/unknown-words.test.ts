import { expect, test } from 'vitest'
import { catalogueNote, framebufferReason, numaReason, originOf } from './unknown-words'

const nvidia = { vendorId: '10de', framework: 'mdev' } as const
const virtual = { ...nvidia, vendorId: null }

test('a virtual parent has neither memory nor a node, and nvidia-smi is not to blame', () => {
  expect(framebufferReason(virtual)).toBe('a virtual parent has none')
  expect(numaReason(virtual)).toBe('a virtual parent belongs to no node')
})

test('a real card says who did not tell', () => {
  expect(framebufferReason(nvidia)).toBe('nvidia-smi said nothing and no type fills the card')
  expect(framebufferReason({ ...nvidia, vendorId: '8086' })).toBe('no vGPU type tells it')
  expect(numaReason(nvidia)).toBe('the kernel says -1: the host has one node, or its firmware does not tell')
})

test('a vendor-VFIO card says that its catalogue is what the driver lists now', () => {
  expect(catalogueNote(nvidia, 17)).toBe('17, as the driver words them')
  expect(catalogueNote({ ...nvidia, framework: 'vendor-vfio' }, 1)).toBe('1 listed by the driver now')
})

test('a type says who words it', () => {
  const type = { typeId: 'nvidia-1154', name: 'NVIDIA L40S-16Q', shortName: 'L40S-16Q', isFromStore: false }
  expect(originOf(type)).toBe('host')
  expect(originOf({ ...type, name: null })).toBe('published')
  expect(originOf({ ...type, name: null, shortName: 'nvidia-1154' })).toBe('host')
  expect(originOf({ ...type, name: null, isFromStore: true })).toBe('stored')
})

import { expect, test } from 'vitest'
import { gpuAmounts, readFlavorRequest } from './flavor-request'
import { requestText, type WordedType } from './request-text'

const A40: WordedType = { name: 'A40-4Q', framebufferMib: 4096, heads: 4 }
const T4: WordedType = { name: 'T4-4C', framebufferMib: 4096, heads: 1 }

const words = (extraSpecs: Record<string, string>, types: readonly WordedType[] = []): string => {
  const flavor = { vcpus: 4, memoryMib: 16_384, diskGib: 40, ephemeralGib: 0, swapMib: 0, extraSpecs }
  const request = readFlavorRequest(flavor)
  const gpus = new Map([...gpuAmounts(request)].filter(([name]) => name !== 'CUSTOM_LICENSE'))
  return requestText(flavor, request, types, gpus)
}

test('one type reports how large a vGPU is, several do not', () => {
  const one = { 'resources:VGPU': '1' }
  expect(words(one, [A40])).toBe('1 vGPU of A40-4Q: 4 GiB, up to 4 displays; 4 vCPUs, 16 GiB')
  expect(words(one, [T4])).toBe('1 vGPU of T4-4C: 4 GiB, up to 1 display; 4 vCPUs, 16 GiB')
  expect(words(one, [A40, T4])).toBe('1 vGPU of A40-4Q or T4-4C, 4 vCPUs, 16 GiB')
  expect(words({ 'resources1:VGPU': '1', 'resources2:VGPU': '1' }, [A40])).toBe(
    '2 vGPUs of A40-4Q, each 4 GiB, up to 4 displays; 4 vCPUs, 16 GiB',
  )
})

test('a license is no vGPU', () => {
  expect(words({ 'resources:VGPU': '1', 'resources:CUSTOM_LICENSE': '2' }, [A40])).toBe(
    '1 vGPU of A40-4Q, 2 of CUSTOM_LICENSE: 4 GiB, up to 4 displays; 4 vCPUs, 16 GiB',
  )
})

test('values that the driver does not report are left out', () => {
  expect(words({ 'resources:VGPU': '1' }, [{ ...A40, heads: null }])).toBe(
    '1 vGPU of A40-4Q: 4 GiB; 4 vCPUs, 16 GiB',
  )
  expect(words({ 'resources:VGPU': '1' }, [{ ...A40, framebufferMib: null, heads: null }])).toBe(
    '1 vGPU of A40-4Q, 4 vCPUs, 16 GiB',
  )
  expect(words({ 'pci_passthrough:alias': 'gpu:1' })).toBe('1 PCI device gpu, 4 vCPUs, 16 GiB')
  expect(words({})).toBe('4 vCPUs, 16 GiB')
})

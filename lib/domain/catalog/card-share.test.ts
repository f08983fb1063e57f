import { expect, test } from 'vitest'
import { partOfType, UNKNOWN_PART, WHOLE_CARD } from './card-share'

const partOf = (name: string, maxInstance: number | null, framebufferMib: number | null, model = 'NVIDIA') =>
  partOfType({ name, model, framebufferMib, maxInstance })

test('a time-sliced type has the share of the vGPUs that one card holds', () => {
  expect(partOf('A40-12Q', 4, 12_288, 'NVIDIA A40')).toEqual({
    isolation: 'time-sliced',
    share: { compute: { part: 1, of: 4 }, memory: null, perInstance: null },
  })
  expect(partOf('A40-48Q', 1, 49_152, 'NVIDIA A40')).toEqual(WHOLE_CARD)
  expect(partOf('A40-12Q', null, 12_288, 'NVIDIA A40')).toEqual(UNKNOWN_PART)
})

const MIG: [name: string, model: string, max: number, gib: number, compute: string, memory: string][] = [
  ['A100-1-5C', 'NVIDIA A100-PCIE-40GB', 7, 5, '1/7', '1/8'],
  ['A100-1-5CME', 'NVIDIA A100-PCIE-40GB', 1, 5, '1/7', '1/8'],
  ['A100-1-10C', 'NVIDIA A100-PCIE-40GB', 4, 10, '1/7', '2/8'],
  ['A100-2-10C', 'NVIDIA A100-PCIE-40GB', 3, 10, '2/7', '2/8'],
  ['A100-3-20C', 'NVIDIA A100-PCIE-40GB', 2, 20, '3/7', '4/8'],
  ['A100-4-20C', 'NVIDIA A100-PCIE-40GB', 1, 20, '4/7', '4/8'],
  ['A100-7-40C', 'NVIDIA A100-PCIE-40GB', 1, 40, '7/7', '8/8'],
  ['A30-2-12C', 'NVIDIA A30', 2, 12, '2/4', '2/4'],
  ['H200X-1-18C', 'NVIDIA H200', 7, 18, '1/7', '1/8'],
]

test.each(MIG)('%s has its own slices of compute and memory', (name, model, max, gib, compute, memory) => {
  const { isolation, share } = partOf(name, max, gib * 1024, model)
  expect(isolation).toBe('mig')
  expect(`${share?.compute.part}/${share?.compute.of}`).toBe(compute)
  expect(`${share?.memory?.part}/${share?.memory?.of}`).toBe(memory)
  expect(share?.perInstance).toBeNull()
})

test('vGPUs that share a GPU instance take turns in it', () => {
  expect(partOf('DC-1-2Q', 48, 2048, 'NVIDIA RTX PRO 6000 Blackwell Server Edition')).toEqual({
    isolation: 'mig',
    share: { compute: { part: 1, of: 4 }, memory: null, perInstance: 12 },
  })
})

test('a card without published slices, and a type of another maker, are unknown in part', () => {
  expect(partOf('X900-1-5C', 7, 5120, 'NVIDIA X900')).toEqual({ isolation: 'mig', share: null })
  expect(partOf('i915-GVTg_V5_4', 4, 512, 'Intel')).toEqual({
    isolation: null,
    share: { compute: { part: 1, of: 4 }, memory: null, perInstance: null },
  })
})

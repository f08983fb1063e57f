import { expect, test } from 'vitest'
import { createGpuStore, gpuRowAt } from '@/lib/domain/gpu-list/gpu-store'
import { makeColumns } from '@/lib/domain/gpu-list/testing/make-columns'
import { carrySelection, changeSelection, noSelection, selectedAmong } from './selection'

const card = (host: string, address: string) => ({ host, address })
const before = createGpuStore(makeColumns([card('cmp-1', '0000:18:00.0'), card('cmp-2', '0000:18:00.0')]))

test('selecting twice counts once, and unselecting takes it back', () => {
  const twice = changeSelection(changeSelection(noSelection(before), [0, 1], true), [1], true)
  expect(twice.count).toBe(2)
  expect(changeSelection(twice, [0, 1], false).count).toBe(0)
})

test('a selection follows its pGPUs when rows move', () => {
  const selected = changeSelection(noSelection(before), [1], true)
  const after = createGpuStore(
    makeColumns([
      card('cmp-0', '0000:18:00.0'),
      card('cmp-2', '0000:18:00.0'),
      card('cmp-1', '0000:18:00.0'),
    ]),
  )
  const rows = selectedAmong(carrySelection(selected, after), after.baseOrder)
  expect([...rows].map((row) => gpuRowAt(after, row).host)).toEqual(['cmp-2'])
})

test('what left the fleet is no longer selected', () => {
  const selected = changeSelection(noSelection(before), [0, 1], true)
  const after = createGpuStore(makeColumns([card('cmp-1', '0000:41:00.0'), card('cmp-2', '0000:18:00.0')]))
  expect(carrySelection(selected, after).count).toBe(1)
})

test('only selected rows that are shown come back, in their order', () => {
  const selected = changeSelection(noSelection(before), [0, 1], true)
  expect([...selectedAmong(selected, Int32Array.of(1))]).toEqual([1])
})

test('while nothing is selected the answer is one and the same, so that nothing is drawn again for it', () => {
  const none = noSelection(before)
  expect(selectedAmong(none, Int32Array.of(0))).toBe(selectedAmong(none, Int32Array.of(0, 1)))
})

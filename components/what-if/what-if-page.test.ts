import { expect, test } from 'vitest'
import type { WhatIfStepInput } from '@/lib/schemas/api/what-if-inputs'
import { readSteps, writeSteps } from './what-if-page'

const STEPS: WhatIfStepInput[] = [
  { do: 'type', count: 4, from: 'nvidia-1', to: 'nvidia-2' },
  { do: 'add', count: 2, like: 'cmp-1' },
  { do: 'remove', hosts: ['cmp-2'] },
  { do: 'move', hosts: ['cmp-3', 'cmp-4'], from: 'gpu', to: 'batch' },
]

test('steps are read as they were written', () => {
  expect(readSteps(writeSteps(STEPS) ?? '')).toEqual(STEPS)
  expect(writeSteps([])).toBeNull()
})

test('what is no step is left out, and what is no list is none', () => {
  const odd = [null, 3, { do: 'type', count: 0, from: 'a', to: 'b' }, { do: 'remove', hosts: [] }, STEPS[1]]
  expect(readSteps(JSON.stringify(odd))).toEqual([STEPS[1]])
  for (const text of ['', '{"do":"add"}', '[{"do":']) expect(readSteps(text)).toEqual([])
})

import { expect, test } from 'vitest'
import type { ScenarioStepDto } from '@/lib/schemas/api/scenario-inputs'
import { readSteps, writeSteps } from './steps-text'

const STEPS: ScenarioStepDto[] = [
  { do: 'type', count: 4, from: 'nvidia-1', to: 'nvidia-2', date: null },
  { do: 'add', count: 2, like: 'cmp-1', date: '2027-01-15' },
  {
    ...{ do: 'new', count: 2, cards: 4, model: 'NVIDIA L40S', typeName: 'L40S-12Q', vcpus: 64 },
    ...{ memoryGib: 512, diskGib: 1000, aggregate: null, date: null },
  },
  { do: 'remove', hosts: ['cmp-2'], date: null },
  { do: 'move', hosts: ['cmp-3', 'cmp-4'], from: 'gpu', to: 'batch', date: null },
]

test('steps are read as they were written', () => {
  expect(readSteps(writeSteps(STEPS, []) ?? '')).toEqual(STEPS)
})

test('steps that are saved need no parameter, and none in place of saved ones do', () => {
  expect(writeSteps([], [])).toBeNull()
  expect(writeSteps(STEPS, STEPS)).toBeNull()
  const [first, ...others] = STEPS
  expect(writeSteps(STEPS, [{ date: null, ...first } as ScenarioStepDto, ...others])).toBeNull()
  expect(writeSteps([], STEPS)).toBe('[]')
})

test('a step of the former address has no date', () => {
  expect(readSteps('[{"do":"remove","hosts":["cmp-2"]}]')).toEqual([STEPS[3]])
})

test('what is no step is left out, and what is no list is none', () => {
  const odd = [null, 3, { do: 'type', count: 0, from: 'a', to: 'b' }, { do: 'remove', hosts: [] }, STEPS[1]]
  expect(readSteps(JSON.stringify(odd))).toEqual([STEPS[1]])
  for (const text of ['', '{"do":"add"}', '[{"do":']) expect(readSteps(text)).toEqual([])
})

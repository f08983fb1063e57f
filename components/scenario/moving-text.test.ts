import { expect, test } from 'vitest'
import type { ScenarioStepDto } from '@/lib/schemas/api/scenario-inputs'
import type { ScenarioType } from '@/lib/schemas/api/scenario-result'
import { movingText } from './moving-text'

const type = (key: string, used: number, before: number, after: number): ScenarioType => ({
  key,
  label: key,
  cards: { before: 1, after: 1 },
  capacity: { before, after },
  used,
  full: { before: null, after: null, none: null, shortage: null, peak: null },
})

const CHANGE = { do: 'type', count: 1, from: 'a', to: 'b', date: null } as const
const REMOVE: ScenarioStepDto = { do: 'remove', hosts: ['cmp-1'], date: null }

test('vGPUs that must move fit, or not, by the free capacity of their types', () => {
  const of = (...types: ScenarioType[]) => movingText(CHANGE, { moving: 10 }, types)
  const other = type('b', 9, 10, 4)
  expect(of(type('a', 20, 40, 20), other)).toBe(
    '10 vGPUs in use would have to move. There is enough free capacity for them.',
  )
  expect(of(type('a', 23, 40, 20), other)).toBe(
    '10 vGPUs in use would have to move. There is no free capacity for 3 of them.',
  )
  expect(of(type('a', 20, 20, 0))).toBe(
    '10 vGPUs in use would have to move. There is no free capacity for them.',
  )
  expect(of(other)).toBe('10 vGPUs in use would have to move.')
})

test('a removed host counts in all types that lose vGPUs', () => {
  const types = [type('a', 8, 10, 6), type('b', 4, 8, 4), type('c', 9, 8, 8)]
  expect(movingText(REMOVE, { moving: 6 }, types)).toBe(
    '6 vGPUs in use would have to move. There is no free capacity for 2 of them.',
  )
  expect(movingText(REMOVE, { moving: 1 }, [type('a', 2, 4, 2)])).toBe(
    '1 vGPU in use would have to move. There is enough free capacity for it.',
  )
  expect(movingText(REMOVE, { moving: 0 }, types)).toBeNull()
})

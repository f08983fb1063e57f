import { expect, test } from 'vitest'
import type { GpuSources } from '@/lib/schemas/api/sources'
import { disagreementBadge, inUseBadge } from './tab-badges'

const known = (value: number | null) => ({ value, reason: value === null ? 'not read' : null })
const numbersOf = (used: number | null) => ({
  numbers: {
    used: known(used),
    ...{ capacity: known(4), spare: known(0), orphan: known(0), returning: known(0), creatable: known(0) },
  },
})
const disagree = { column: 'placement', because: 'Placement has 2 more' } as const
const sourcesOf = (...rows: (typeof disagree | null)[]) =>
  ({ sources: { rows: rows.map((one) => ({ disagree: one })) } }) as unknown as GpuSources

test('vGPUs in use are counted, 0 too, and an unknown number is none', () => {
  expect(inUseBadge(numbersOf(3))).toEqual({ count: 3, noun: 'in use' })
  expect(inUseBadge(numbersOf(0))).toEqual({ count: 0, noun: 'in use' })
  expect(inUseBadge(numbersOf(null))).toBeUndefined()
})

test('disagreements are a warning, and agreement is no badge', () => {
  expect(disagreementBadge(sourcesOf(disagree, null))).toMatchObject({
    count: 1,
    noun: 'disagreement',
    isWarning: true,
  })
  expect(disagreementBadge(sourcesOf(disagree, disagree))).toMatchObject({ noun: 'disagreements' })
  expect(disagreementBadge(sourcesOf(null))).toBeUndefined()
  expect(disagreementBadge({ sources: null })).toBeUndefined()
  expect(disagreementBadge(undefined)).toBeUndefined()
})

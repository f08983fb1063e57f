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
  expect(inUseBadge(numbersOf(3))).toEqual({ text: '3', label: '3 in use', tone: 'quiet' })
  expect(inUseBadge(numbersOf(0))).toEqual({ text: '0', label: '0 in use', tone: 'quiet' })
  expect(inUseBadge(numbersOf(null))).toBeUndefined()
})

test('disagreements are a warning, and agreement is no badge', () => {
  expect(disagreementBadge(sourcesOf(disagree, null))).toEqual({
    text: '1',
    label: '1 disagreement',
    tone: 'warn',
  })
  expect(disagreementBadge(sourcesOf(disagree, disagree))).toMatchObject({ label: '2 disagreements' })
  expect(disagreementBadge(sourcesOf(null))).toBeUndefined()
  expect(disagreementBadge({ sources: null })).toBeUndefined()
  expect(disagreementBadge(undefined)).toBeUndefined()
})

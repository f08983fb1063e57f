import { expect, test } from 'vitest'
import { type FilteredFinding, type FindingFilter, filterFindings, isNarrowed } from './filter-findings'

const NONE: FindingFilter = { q: '', severity: [], state: [], host: [], code: [], sourceToCorrect: [] }

const orphans = {
  id: 1,
  code: 'orphan-mdevs',
  severity: 'warning',
  state: 'open',
  host: 'cmp-1',
  sourceToCorrect: 'hardware',
  text: '3 orphaned mdevs keep it on T4-4C cmp-1 0000:18:00.0',
} as const
const promises = {
  id: 2,
  code: 'placement-over-promises',
  severity: 'error',
  state: 'open',
  host: 'cmp-2',
  sourceToCorrect: 'placement',
  text: 'Placement offers 32, 12 fit cmp-2 0000:41:00.0',
} as const
const known = { ...orphans, id: 3, state: 'acknowledged', text: 'card goes back' } as const
const gone = { ...orphans, id: 4, state: 'closed' } as const
const limit = {
  ...orphans,
  id: 5,
  code: 'limit-region-null',
  host: null,
  sourceToCorrect: 'keystone',
} as const
const all: (FilteredFinding & { id: number })[] = [orphans, promises, known, gone, limit]

const ids = (filter: Partial<FindingFilter>): number[] =>
  filterFindings(all, { ...NONE, ...filter }).found.map(({ id }) => id)

test('without a filter everything is listed', () => {
  expect(ids({})).toEqual([1, 2, 3, 4, 5])
})

test('states, severities, hosts, codes and sources to correct each narrow by any of their values', () => {
  expect(ids({ state: ['acknowledged', 'closed'] })).toEqual([3, 4])
  expect(ids({ severity: ['error'] })).toEqual([2])
  expect(ids({ host: ['cmp-1', 'cmp-2'], state: ['open'] })).toEqual([1, 2])
  expect(ids({ code: ['limit-region-null'] })).toEqual([5])
  expect(ids({ sourceToCorrect: ['placement', 'keystone'] })).toEqual([2, 5])
  expect(ids({ sourceToCorrect: ['placement'], host: ['cmp-1'] })).toEqual([])
})

test('every word must occur in the text', () => {
  expect(ids({ q: 'placement 0000:41' })).toEqual([2])
  expect(ids({ q: 'placement 0000:18' })).toEqual([])
  expect(ids({ q: 'GOES back' })).toEqual([3])
})

test('the counts of a facet leave its own choice aside and keep the others', () => {
  const { counts } = filterFindings(all, { ...NONE, severity: ['error'], host: ['cmp-1'] })
  expect([...counts.severity]).toEqual([['warning', 3]])
  expect([...counts.host]).toEqual([['cmp-2', 1]])
  expect([...filterFindings(all, { ...NONE, host: ['cmp-1'] }).counts.state]).toEqual([
    ['open', 1],
    ['acknowledged', 1],
    ['closed', 1],
  ])
})

test('a finding of no host counts under no host', () => {
  const { counts } = filterFindings(all, { ...NONE, state: ['open'] })
  expect([...counts.host.keys()]).toEqual(['cmp-1', 'cmp-2'])
})

test('another state is no narrowing', () => {
  expect(isNarrowed({ ...NONE, state: ['closed'] })).toBe(false)
  expect(isNarrowed({ ...NONE, q: ' ' })).toBe(false)
  expect(isNarrowed({ ...NONE, sourceToCorrect: ['nova'] })).toBe(true)
})

import { expect, test } from 'vitest'
import { countFacet, type FindingFilter, filterFindings, isNarrowed } from './filter-findings'
import { buildFinding } from './testing/build-finding'

const NONE: FindingFilter = { q: '', severity: [], state: [], host: [], code: [], blame: [] }

const orphans = buildFinding({ id: 1 })
const promises = buildFinding({
  id: 2,
  code: 'placement-over-promises',
  severity: 'error',
  sentence: 'Placement promises 32, 12 fit',
  subject: { kind: 'pgpu', host: 'cmp-2', address: '0000:41:00.0' },
  blame: 'placement',
})
const known = buildFinding({
  id: 3,
  state: 'acknowledged',
  acknowledgement: { by: 'alice', at: '2026-11-21T10:00:00.000Z', until: null, note: 'card goes back' },
})
const gone = buildFinding({ id: 4, state: 'closed', closedAt: '2026-11-21T11:00:00.000Z' })
const limit = buildFinding({
  id: 5,
  code: 'limit-region-null',
  subject: { kind: 'limit', resourceName: 'class:VGPU', regionId: null, projectId: null },
  blame: 'keystone',
})
const all = [orphans, promises, known, gone, limit]

const ids = (filter: Partial<FindingFilter>): number[] =>
  filterFindings(all, { ...NONE, ...filter }).map(({ id }) => id)

test('without a chosen state only what is open is shown', () => {
  expect(ids({})).toEqual([1, 2, 5])
})

test('states, severities, hosts, codes and blamed sources each narrow by any of their values', () => {
  expect(ids({ state: ['acknowledged', 'closed'] })).toEqual([3, 4])
  expect(ids({ severity: ['error'] })).toEqual([2])
  expect(ids({ host: ['cmp-1', 'cmp-2'] })).toEqual([1, 2])
  expect(ids({ code: ['limit-region-null'] })).toEqual([5])
  expect(ids({ blame: ['placement', 'keystone'] })).toEqual([2, 5])
  expect(ids({ blame: ['placement'], host: ['cmp-1'] })).toEqual([])
})

test('every word must stand in the sentence, the title, the code, the subject, the source or the note', () => {
  expect(ids({ q: 'placement 0000:41' })).toEqual([2])
  expect(ids({ q: 'placement 0000:18' })).toEqual([])
  expect(ids({ q: 'CLASS:vgpu' })).toEqual([5])
  expect(ids({ q: 'goes back', state: ['acknowledged'] })).toEqual([3])
})

test('the counts of a facet leave its own choice aside and keep the others', () => {
  const filter: FindingFilter = { ...NONE, severity: ['error'], host: ['cmp-1'] }
  expect([...countFacet(all, filter, 'severity')]).toEqual([['warning', 1]])
  expect([...countFacet(all, { ...NONE, host: ['cmp-1'] }, 'state')]).toEqual([
    ['open', 1],
    ['acknowledged', 1],
    ['closed', 1],
  ])
})

test('a finding of no host counts under no host', () => {
  expect([...countFacet(all, NONE, 'host').keys()]).toEqual(['cmp-1', 'cmp-2'])
})

test('showing another state is no narrowing', () => {
  expect(isNarrowed({ ...NONE, state: ['closed'] })).toBe(false)
  expect(isNarrowed({ ...NONE, q: ' ' })).toBe(false)
  expect(isNarrowed({ ...NONE, blame: ['nova'] })).toBe(true)
})

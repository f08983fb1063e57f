import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentActor, ReportMember } from './group-member'
import { compareHistory, planHost, type TableChanges } from './host-changes'
import type { HostRows, Row, Rows, StoredRows } from './host-rows'

/** Rows of few keys, of which some have the same cells. */
const POOL = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((key): Row[] => [
  [key, '1', 1],
  [key, '1', 1],
  [key, '1', 2],
  [key, '2', 1],
])

const keyOf = (row: Row): string => String(row[0])

const anyRows = fc
  .shuffledSubarray(POOL, { maxLength: 12 })
  .map((rows): Rows => [...new Map(rows.map((row) => [keyOf(row), row])).values()])

const stored = (rows: Partial<StoredRows> = {}): StoredRows => ({
  pgpus: [],
  points: [],
  guests: [],
  holdings: [],
  ...rows,
})

const reported = (rows: Partial<HostRows>): HostRows => ({
  ...stored(),
  facts: [],
  types: { types: new Map(), sets: new Map() },
  problemCount: 0,
  guestCount: 0,
  unknownHolders: new Set(),
  hasAllGuests: true,
  ...rows,
})

const ACTOR: AgentActor = {
  kind: 'agent',
  credentialId: 1,
  cloudId: 1,
  hostId: 1,
  hostName: 'cmp-01',
  enrolment: 1,
}

const memberWith = (rows: Partial<HostRows>): ReportMember => ({
  kind: 'report',
  actor: ACTOR,
  position: { boot: 1, sequence: 1 },
  digest: 'digest',
  takenAt: '2026-01-01T00:00:00.000Z',
  at: 0,
  watchedMs: null,
  droppedReports: 0,
  rows: reported(rows),
  body: Buffer.alloc(0),
})

/** The plan of reports that are applied one after the other. */
const planOf = (before: Partial<StoredRows>, ...reports: Partial<HostRows>[]) => {
  const position = { boot: 1, sequence: 1 }
  const watch = { since: null, at: null }
  const host = { id: 1, enrolment: 1, position, digest: null, watch, credentialId: 1 }
  const applied = reports.map(memberWith)
  return planHost(
    { host, applied, moments: reports.map((_, index) => index), newest: position, watch, ended: [] },
    stored(before),
  )
}

/** What the database holds afterwards; every deleted row must be there before. */
const carriedOut = (before: Rows, { written, deleted }: TableChanges): Map<string, Row> => {
  const table = new Map(before.map((row) => [keyOf(row), row]))
  for (const row of deleted) expect(table.delete(keyOf(row))).toBe(true)
  for (const row of written) {
    expect(table.get(keyOf(row))).not.toEqual(row)
    table.set(keyOf(row), row)
  }
  return table
}

test('the changes of a table, carried out on what is stored, give what is reported and touch nothing else', () => {
  fc.assert(
    fc.property(anyRows, anyRows, (before, after) => {
      const { guests } = planOf({ guests: before }, { guests: after })
      const expected = Object.fromEntries(after.map((row) => [keyOf(row), row]))
      expect(Object.fromEntries(carriedOut(before, guests))).toEqual(expected)
    }),
    { numRuns: 2000 },
  )
})

const point = (address: string, used: number, typeName: string | null = null): Row => [
  address,
  'nvidia-222',
  'mdev',
  16,
  used,
  0,
  0,
  0,
  null,
  ...(typeName === null ? [] : [typeName, 'Tesla T4']),
]

test('a point is another one by its type, framework and numbers alone; a pGPU that is gone leaves its address', () => {
  const [first, second, third] = [point('1', 1), point('2', 1), point('3', 1)]
  const reported = [point('1', 1, 'T4-1Q'), point('2', 2, 'T4-1Q'), point('4', 1, 'T4-1Q')]
  const changed = (before: Rows, after: Rows) =>
    compareHistory({ points: before, holdings: [] }, { points: after, holdings: [] }).points
  expect(changed([first, second, third], reported)).toEqual([reported[1], reported[2], ['3']])
  expect(changed(reported, reported)).toEqual([])
  expect(changed([first], [point('1', 1, 'T4-1Q')])).toEqual([])
})

const holding = (uuid: string, types: string[]): Row => [
  uuid,
  `vm-${uuid}`,
  'small',
  null,
  null,
  ['0000:3b:00.0'],
  types,
]

test('a guest that holds nothing any more keeps its name, without addresses', () => {
  const [a, b] = [holding('a', ['nvidia-222']), holding('b', ['nvidia-222'])]
  const changed = holding('b', ['nvidia-223'])
  const { holdings } = compareHistory({ points: [], holdings: [a, b] }, { points: [], holdings: [changed] })
  expect(holdings).toEqual([changed, ['a', 'vm-a', 'small', null, null, [], []]])
})

test('what a report could not read of holdings stays as it was known', () => {
  const [a, b, c] = [holding('a', ['1']), holding('b', ['1']), holding('c', ['1'])]
  const now = holding('b', ['2'])
  const after = (unknown: string[], hasAllGuests: boolean) => {
    const before = [a, b, c]
    const rows = { holdings: [now], unknownHolders: new Set(unknown), hasAllGuests }
    const table = carriedOut(before, planOf({ holdings: before }, rows).holdings)
    return [...table.values()].map(([uuid, , , , , , types]) => `${uuid} ${types}`).toSorted()
  }
  expect(after([], true)).toEqual(['b 2'])
  expect(after(['a'], true)).toEqual(['a 1', 'b 2'])
  expect(after(['b'], true)).toEqual(['b 2'])
  expect(after([], false)).toEqual(['a 1', 'b 2', 'c 1'])
})

test('each report of a group adds to the history what differs from the one before it', () => {
  const { history } = planOf(
    { points: [point('1', 1)] },
    { points: [point('1', 2)] },
    { points: [point('1', 2)] },
    { points: [point('1', 1)] },
  )
  expect(history.map(({ points }) => points)).toEqual([[point('1', 2)], [], [point('1', 1)]])
})

test('types are stored with a pGPU that refers to types that its host did not have', () => {
  const pgpu = (type: string | null): Row => ['1', 'T4', 'mdev', 0, 16_384, type, 'set', 16]
  const types = { types: new Map(), sets: new Map() }
  expect(planOf({ pgpus: [pgpu('a')] }, { pgpus: [pgpu('b')], types }).types).toBe(types)
  expect(planOf({}, { pgpus: [pgpu('a')], types }).types).toBe(types)
  expect(planOf({ pgpus: [pgpu('a')] }, { pgpus: [pgpu(null)], types }).types).toBeNull()
  expect(planOf({ pgpus: [pgpu('a')] }, { pgpus: [pgpu('a')], types }).types).toBeNull()
})

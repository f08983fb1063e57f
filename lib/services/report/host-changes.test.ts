import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareHistory, compareHoldings, compareHost, rowsAfter, type TableChanges } from './host-changes'
import type { HostRows, Row, Rows, StoredRows } from './host-rows'

/** Rows of few keys, of which some are the same objects and some say the same. */
const POOL = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((key): Row[] => [
  [key, '1', 1],
  [key, '1', 1],
  [key, '1', 2],
  [key, '2', 1],
])

const keyOf = (row: Row): string => String(row[0])
const bothOf = (row: Row): string => `${row[0]} ${row[1]}`

const anyRows = (key: (row: Row) => string) =>
  fc.tuple(fc.shuffledSubarray(POOL, { maxLength: 12 }), fc.boolean()).map(([rows, isOrdered]): Rows => {
    const unique = [...new Map(rows.map((row) => [key(row), row])).values()]
    return isOrdered ? unique.toSorted((a, b) => key(a).localeCompare(key(b))) : unique
  })

const stored = (rows: Partial<StoredRows>): StoredRows => ({
  facts: [],
  pgpus: [],
  history: [],
  virtualFunctions: [],
  mdevs: [],
  guests: [],
  holdings: [],
  problems: [],
  ...rows,
})

/** What the database holds afterwards; every change must meet what is there. */
const carriedOut = (
  before: Rows,
  { inserted, updated, deleted }: TableChanges,
  key: (row: Row) => string,
): Map<string, Row> => {
  const table = new Map(before.map((row) => [key(row), row]))
  for (const row of deleted) expect(table.delete(key(row))).toBe(true)
  for (const row of updated) {
    expect(table.get(key(row))).toBeDefined()
    expect(table.get(key(row))).not.toEqual(row)
    table.set(key(row), row)
  }
  for (const row of inserted) {
    expect(table.has(key(row))).toBe(false)
    table.set(key(row), row)
  }
  return table
}

const expectSameTable = (table: Map<string, Row>, rows: Rows, key: (row: Row) => string): void =>
  expect(Object.fromEntries(table)).toEqual(Object.fromEntries(rows.map((row) => [key(row), row])))

test('the changes of a table carried out on what is stored give what is told, and touch nothing else', () => {
  fc.assert(
    fc.property(anyRows(keyOf), anyRows(keyOf), (before, after) => {
      const { mdevs, isChange } = compareHost(stored({ mdevs: before }), stored({ mdevs: after }))
      expectSameTable(carriedOut(before, mdevs, keyOf), after, keyOf)
      expect(isChange).toBe(mdevs.inserted.length + mdevs.updated.length + mdevs.deleted.length > 0)
    }),
    { numRuns: 2000 },
  )
})

test('virtual functions go by both addresses', () => {
  fc.assert(
    fc.property(anyRows(bothOf), anyRows(bothOf), (before, after) => {
      const changes = compareHost(stored({ virtualFunctions: before }), stored({ virtualFunctions: after }))
      expectSameTable(carriedOut(before, changes.virtualFunctions, bothOf), after, bothOf)
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

test('a point is another one by its type, framework and numbers alone; a pGPU that went leaves its address', () => {
  const [first, second, third] = [point('1', 1), point('2', 1), point('3', 1)]
  const told = [point('1', 1, 'T4-1Q'), point('2', 2, 'T4-1Q'), point('4', 1, 'T4-1Q')]
  expect(compareHistory({ history: [first, second, third] }, { history: told })).toEqual([
    told[2],
    told[1],
    ['3'],
  ])
  expect(compareHistory({ history: told }, { history: told })).toEqual([])
  expect(compareHistory({ history: [first] }, { history: [point('1', 1, 'T4-1Q')] })).toEqual([])
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

test('a guest that holds nothing any more stays by its name, without addresses', () => {
  const [a, b] = [holding('a', ['nvidia-222']), holding('b', ['nvidia-222'])]
  const changed = holding('b', ['nvidia-223'])
  expect(compareHoldings({ holdings: [a, b] }, { holdings: [changed] })).toEqual([
    changed,
    ['a', 'vm-a', 'small', null, null, [], []],
  ])
})

const told = (holdings: Rows, unknown: string[], hasAllGuests: boolean): HostRows => ({
  ...stored({ holdings }),
  guestCount: 0,
  unknownHolders: new Set(unknown),
  hasAllGuests,
})

test('what a report could not read of holdings stays as it was known', () => {
  const [a, b, c] = [holding('a', ['1']), holding('b', ['1']), holding('c', ['1'])]
  const now = holding('b', ['2'])
  const uuidsAfter = (rows: HostRows) =>
    rowsAfter({ holdings: [a, b, c] }, rows).holdings.map(([uuid, , , , , , types]) => `${uuid} ${types}`)
  expect(uuidsAfter(told([now], [], true))).toEqual(['b 2'])
  expect(uuidsAfter(told([now], ['a'], true))).toEqual(['a 1', 'b 2'])
  expect(uuidsAfter(told([now], ['b'], true))).toEqual(['b 2'])
  expect(uuidsAfter(told([now], [], false))).toEqual(['a 1', 'c 1', 'b 2'])
})

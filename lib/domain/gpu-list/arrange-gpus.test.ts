import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrangeGpus, GROUPINGS, SORT_COLUMNS } from './arrange-gpus'
import { aggregateSetText, createGpuStore, gpuRowAt } from './gpu-store'
import { makeColumns } from './testing/make-columns'

const store = createGpuStore(
  makeColumns([
    { host: 'cmp-2', address: '0000:18:00.0', used: 1, capacity: 2 },
    { host: 'cmp-10', address: '0000:18:00.0', used: 16, capacity: 16, type: 'T4-1Q' },
    { host: 'cmp-10', address: '0000:41:00.0', model: 'NVIDIA A40', type: null, used: null, capacity: null },
    { host: 'cmp-2', address: '0000:41:00.0', model: 'NVIDIA A40', type: 'A40-8Q', used: 0, capacity: 6 },
  ]),
)

const names = (rows: Int32Array) =>
  [...rows].map((row) => {
    const { host, address } = gpuRowAt(store, row)
    return `${host} ${address.slice(5, 7)}`
  })

const arrange = (
  grouping: (typeof GROUPINGS)[number],
  column: (typeof SORT_COLUMNS)[number],
  isDescending = false,
) => arrangeGpus(store, store.baseOrder, { grouping, sort: { column, isDescending } })

test('rows of a model are adjacent, equally frequent models in order of their names', () => {
  const { rows, groups } = arrange('model', 'host')
  expect(names(rows)).toEqual(['cmp-2 41', 'cmp-10 41', 'cmp-2 18', 'cmp-10 18'])
  expect(groups.map(({ entry, start, end }) => [store.data.models[entry ?? -1], start, end])).toEqual([
    ['NVIDIA A40', 0, 2],
    ['NVIDIA T4', 2, 4],
  ])
})

test('sorting by use compares shares and puts unknown last, both ways', () => {
  expect(names(arrange('none', 'used').rows)).toEqual(['cmp-2 41', 'cmp-2 18', 'cmp-10 18', 'cmp-10 41'])
  expect(names(arrange('none', 'used', true).rows)).toEqual([
    'cmp-10 18',
    'cmp-2 18',
    'cmp-2 41',
    'cmp-10 41',
  ])
})

test('hosts turned round keep their groups', () => {
  const { rows, groups } = arrange('model', 'host', true)
  expect(names(rows)).toEqual(['cmp-10 41', 'cmp-2 41', 'cmp-10 18', 'cmp-2 18'])
  expect(groups).toHaveLength(2)
})

test('cards without a type are the last group', () => {
  const { groups } = arrange('type', 'host')
  expect(groups.at(-1)?.entry).toBeNull()
})

test('arranging neither loses nor doubles a row, and groups cover all', () => {
  const card = fc.record({
    host: fc.constantFrom('cmp-1', 'cmp-2', 'cmp-10'),
    address: fc.constantFrom('0000:18:00.0', '0000:41:00.0'),
    model: fc.constantFrom('NVIDIA T4', 'NVIDIA A40'),
    type: fc.constantFrom('T4-4Q', 'A40-8Q', null),
    used: fc.option(fc.nat(16), { nil: null }),
    capacity: fc.option(fc.nat(16), { nil: null }),
  })
  fc.assert(
    fc.property(
      fc.array(card, { maxLength: 40 }),
      fc.constantFrom(...GROUPINGS),
      fc.constantFrom(...SORT_COLUMNS),
      fc.boolean(),
      (cards, grouping, column, isDescending) => {
        const any = createGpuStore(makeColumns(cards))
        const { rows, groups } = arrangeGpus(any, any.baseOrder, { grouping, sort: { column, isDescending } })
        expect([...rows].toSorted((a, b) => a - b)).toEqual(cards.map((_, row) => row))
        const covered = groups.reduce((sum, { start, end }) => sum + end - start, 0)
        expect(covered).toBe(grouping === 'none' ? 0 : cards.length)
      },
    ),
  )
})

test('the model with the most cards comes first', () => {
  const three = createGpuStore(
    makeColumns([
      { host: 'cmp-1', address: '0000:18:00.0', model: 'NVIDIA A40' },
      { host: 'cmp-2', address: '0000:18:00.0', model: 'NVIDIA T4' },
      { host: 'cmp-2', address: '0000:41:00.0', model: 'NVIDIA T4' },
    ]),
  )
  const sort = { column: 'host', isDescending: false } as const
  const { groups } = arrangeGpus(three, three.baseOrder, { grouping: 'model', sort })
  expect(groups.map(({ entry }) => three.data.models[entry ?? -1])).toEqual(['NVIDIA T4', 'NVIDIA A40'])
})

const inCloud = createGpuStore(
  makeColumns([
    { host: 'cmp-1', address: '1', aggregates: [], advertised: 22 },
    { host: 'cmp-2', address: '1', aggregates: ['gpu-a40', 'gpu-desktop'], advertised: 2_147_483_647 },
    { host: 'cmp-3', address: '1', aggregates: null, advertised: null },
    { host: 'cmp-4', address: '1', aggregates: ['gpu-a40'], advertised: 4, stranded: 3 },
    { host: 'cmp-5', address: '1', aggregates: ['gpu-a40', 'gpu-desktop'], advertised: 0, stranded: 0 },
  ]),
)

const hostsBy = (column: (typeof SORT_COLUMNS)[number], isDescending: boolean) =>
  [...arrangeGpus(inCloud, inCloud.baseOrder, { grouping: 'none', sort: { column, isDescending } }).rows].map(
    (row) => gpuRowAt(inCloud, row).host,
  )

test('a host in several aggregates is under the set, hosts in none after, unknown last', () => {
  const { groups } = arrangeGpus(inCloud, inCloud.baseOrder, {
    grouping: 'aggregate',
    sort: { column: 'host', isDescending: false },
  })
  const named = groups.map(({ entry, start, end }) => [
    entry === null ? null : aggregateSetText(inCloud.data.aggregateSets[entry] ?? []),
    end - start,
  ])
  expect(named).toEqual([
    ['gpu-a40', 1],
    ['gpu-a40, gpu-desktop', 2],
    ['in no aggregate', 1],
    [null, 1],
  ])
})

test('what Placement advertises and what is stranded sort by number, unknown last both ways', () => {
  expect(hostsBy('advertised', false)).toEqual(['cmp-5', 'cmp-4', 'cmp-1', 'cmp-2', 'cmp-3'])
  expect(hostsBy('advertised', true)).toEqual(['cmp-2', 'cmp-1', 'cmp-4', 'cmp-5', 'cmp-3'])
  expect(hostsBy('stranded', true)).toEqual(['cmp-4', 'cmp-5', 'cmp-1', 'cmp-2', 'cmp-3'])
})

test('a filter leaves rows and empty groups out, and moves nothing', () => {
  const way = fc.record({
    grouping: fc.constantFrom(...GROUPINGS),
    sort: fc.record({ column: fc.constantFrom(...SORT_COLUMNS), isDescending: fc.boolean() }),
  })
  const some = fc.subarray([...inCloud.baseOrder], { minLength: 1, maxLength: inCloud.count - 1 })
  fc.assert(
    fc.property(some, way, (rows, arrangement) => {
      const all = arrangeGpus(inCloud, inCloud.baseOrder, arrangement)
      const part = arrangeGpus(inCloud, Int32Array.from(rows), arrangement)
      expect([...part.rows]).toEqual([...all.rows].filter((row) => rows.includes(row)))
      const held = ({ rows: arranged, groups }: typeof all) =>
        groups.map(({ entry, start, end }) => ({
          entry,
          rows: [...arranged.subarray(start, end)].filter((row) => rows.includes(row)),
        }))
      expect(held(part)).toEqual(held(all).filter((group) => group.rows.length > 0))
    }),
  )
})

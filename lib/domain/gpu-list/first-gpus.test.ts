import { expect, test } from 'vitest'
import { firstGpus, type GpuListing } from './first-gpus'
import { firstAsList, ON_ITS_WAY } from './first-list'
import { createGpuStore, gpuRowAt } from './gpu-store'
import { lineAt, lineCount } from './lines'
import { sumGpus } from './sum-gpus'
import { makeColumns } from './testing/make-columns'

const NOTHING_SILENT = { silentHosts: new Map<string, string | null>() }

const listing = (part: Partial<GpuListing> = {}): GpuListing => ({
  filter: { text: '', models: [], types: [], frameworks: [], aggregates: [], finding: null, holding: null },
  grouping: 'model',
  sort: { column: 'host', isDescending: false },
  ...part,
})

/** 100 hosts of two pGPUs, every tenth of another model. */
const fleet = createGpuStore(
  makeColumns(
    Array.from({ length: 200 }, (_, at) => ({
      host: `cmp-${Math.floor(at / 2)}`,
      address: `0000:${at % 2 === 0 ? '18' : '3b'}:00.0`,
      model: at % 10 === 0 ? 'NVIDIA A40' : 'NVIDIA T4',
      used: at % 5,
      finding: { code: 'orphan', severity: 'warning' as const, sentence: `Orphan on ${at}` },
    })),
  ),
)

test('the first lines are those of the whole list, and the rest takes its place', () => {
  const first = firstGpus(fleet, listing(), NOTHING_SILENT)
  const { store, arranged } = firstAsList(first)
  expect(first).toMatchObject({ count: 200, hosts: 100, shown: 200 })
  expect(lineCount(arranged)).toBe(202)
  expect(lineAt(arranged, 0)).toMatchObject({ kind: 'group', group: { start: 0, end: 180 } })
  const positions = [...arranged.rows].indexOf(ON_ITS_WAY)
  expect(positions).toBe(39)
  expect(gpuRowAt(store, 38)).toMatchObject({ host: 'cmp-21', finding: { sentence: 'Orphan on 42' } })
  expect(store.data.findings).toHaveLength(39)
})

test('sums, sizes and headings are those of the whole fleet', () => {
  const first = firstGpus(fleet, listing(), NOTHING_SILENT)
  expect(first.sums).toEqual(sumGpus(fleet, fleet.baseOrder, NOTHING_SILENT))
  expect(first.sizes.model).toEqual([20, 180])
  expect(first.groups[0]?.figures).toMatchObject({ total: 180, memoryMib: 16_384, sums: { pgpus: 180 } })
  expect(first.groups[1]).toMatchObject({ start: 180, end: 200, figures: null })
})

test('it is filtered and sorted by the request', () => {
  const filter = { ...listing().filter, text: 'cmp-1' }
  const sort = { column: 'host', isDescending: true } as const
  const first = firstGpus(fleet, listing({ filter, grouping: 'none', sort }), NOTHING_SILENT)
  expect(first).toMatchObject({ shown: 22, groups: [] })
  expect(gpuRowAt(firstAsList(first).store, 0)).toMatchObject({ host: 'cmp-19', address: '0000:18:00.0' })
})

test('of very many groups the last that comes goes to the end', () => {
  const first = firstGpus(fleet, listing({ grouping: 'host' }), NOTHING_SILENT)
  const { store, arranged } = firstAsList(first)
  expect(first.groups).toHaveLength(60)
  expect(first.groups.at(-1)).toMatchObject({ end: 200 })
  const second = lineAt(arranged, 3)
  expect(second.kind === 'group' ? store.data.hosts[second.group.entry ?? -1] : null).toBe('cmp-1')
  expect(first.groups[1]?.figures).toMatchObject({ total: 2 })
})

test('a fleet that fits comes whole', () => {
  const few = createGpuStore(makeColumns([{ host: 'cmp-1', address: '0000:18:00.0', type: null }]))
  const { store, arranged } = firstAsList(firstGpus(few, listing(), NOTHING_SILENT))
  expect([...arranged.rows]).toEqual([0])
  expect(gpuRowAt(store, 0)).toMatchObject({ host: 'cmp-1', type: null })
})

import { expect, test } from 'vitest'
import { createGpuStore } from '@/lib/domain/gpu-list/gpu-store'
import { makeColumns } from '@/lib/domain/gpu-list/testing/make-columns'
import { readFilter } from './filter-text'
import { taggingOf } from './tagging'

const store = createGpuStore(
  makeColumns(
    Array.from({ length: 1001 }, (_, index) => ({ host: `cmp-${index}`, address: '0000:18:00.0' })),
  ),
)
const rows = (count: number) => Int32Array.from({ length: count }, (_, row) => row)
const params = {
  ...{ q: 'cmp-r2', model: ['NVIDIA T4'], type: [], framework: [], aggregate: ['a&b', 'c'] },
  ...{ finding: 'any', holds: 'free' as const },
}
const tagging = (count: number, shown: number) =>
  taggingOf(store, { selected: rows(count), shown }, { cloud: 'paris', params })

const queryOf = (path: string | null) => new URL(path ?? '', 'https://console.example').searchParams

test('few pGPUs are named in the address', () => {
  const query = queryOf(tagging(2, 1000).typePath)
  expect(query.get('gpus')?.split(' ')).toHaveLength(2)
  expect(query.get('filter')).toBeNull()
})

test('all that the list shows, of up to 1,000, are named by its filter', () => {
  const { path, typePath, passthroughPath, orphansPath } = tagging(1000, 1000)
  for (const address of [path, typePath, passthroughPath, orphansPath]) {
    expect(address?.length).toBeLessThan(300)
    expect(readFilter(queryOf(address).get('filter') ?? '')).toEqual(params)
  }
  expect(queryOf(typePath).get('gpus')?.split(' ')).toHaveLength(1)
})

test('a list without a filter has an address too', () => {
  const none = { q: '', model: [], type: [], framework: [], aggregate: [], finding: null, holds: null }
  const { path } = taggingOf(store, { selected: rows(300), shown: 300 }, { cloud: null, params: none })
  expect(readFilter(queryOf(path).get('filter') ?? 'absent')).toEqual(none)
  expect(queryOf(path).get('filter')).not.toBeNull()
})

test('many of those shown are refused, and so are more than 1,000', () => {
  expect(tagging(201, 1000).refusal).toBe(
    'To change more than 200 pGPUs, filter the list and select all shown pGPUs.',
  )
  expect(tagging(1001, 1001).refusal).toBe('Select at most 1000 pGPUs for one change.')
  expect(tagging(0, 1000).refusal).toBe('Select pGPUs first.')
})

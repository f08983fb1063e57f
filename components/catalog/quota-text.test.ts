import { expect, test } from 'vitest'
import type { CatalogQuota } from '@/lib/schemas/api/catalog'
import { countNote, quotaTiles, serversNote, summedClasses } from './quota-text'

const quota = (rest: Partial<CatalogQuota> = {}): CatalogQuota => ({
  resourceName: 'class:VGPU',
  kind: 'vgpu',
  limit: 12,
  used: 8,
  count: { servers: 8, held: 8, moving: { amount: 0, servers: [] } },
  ...rest,
})

test('vGPUs and passthrough GPUs never add up, and memory is in GiB', () => {
  const tiles = quotaTiles({
    quotas: [
      quota(),
      quota({ resourceName: 'class:CUSTOM_T4', limit: 4, used: 1, count: null }),
      quota({ resourceName: 'class:PGPU', kind: 'passthrough', limit: 2, used: 2, count: null }),
      quota({ resourceName: 'class:VCPU', kind: 'vcpu', limit: null, used: 4, count: null }),
      quota({ resourceName: 'class:MEMORY_MB', kind: 'memory', limit: 10_240, used: 1536, count: null }),
    ],
    uncountedGpus: { used: 3 },
  })
  expect(tiles.map(({ label, limit, used }) => [label, limit, used])).toEqual([
    ['All vGPUs', 16, 9],
    ['Passthrough GPUs', 2, 2],
    ['Other passthrough GPUs', null, 3],
    ['vCPU', null, 4],
    ['Memory, GiB', 10, 1.5],
  ])
  expect(tiles[2]?.notes).toEqual(['No quota: Nova does not count these GPUs.'])
})

test('one class without a limit or with an unknown use makes the sum so', () => {
  const tile = (...quotas: CatalogQuota[]) => quotaTiles({ quotas, uncountedGpus: null })[0]
  expect(tile(quota(), quota({ limit: null }))).toMatchObject({ limit: null, used: 16 })
  expect(tile(quota(), quota({ used: null }))).toMatchObject({ limit: 24, used: null })
  expect(tile(quota({ limit: -1 }))).toMatchObject({ limit: 0 })
})

test('only kinds with several classes list them', () => {
  const passthrough = quota({ resourceName: 'class:PGPU', kind: 'passthrough' })
  expect(summedClasses([quota(), passthrough])).toEqual([])
  const listed = summedClasses([quota(), quota({ resourceName: 'class:CUSTOM_T4' }), passthrough])
  expect(listed.map(({ label }) => label)).toEqual(['vGPUs', 'T4'])
})

test('a count that differs from the servers has its reasons', () => {
  const noteFor = (used: number, servers: number, held: number, amount = 0) =>
    countNote({ used, count: { servers, held, moving: { amount, servers: ['render-03'] } } })
  expect(noteFor(8, 8, 8)).toBeNull()
  expect(noteFor(10, 8, 10)).toBe('8 servers use 10.')
  expect(noteFor(9, 8, 8, 1)).toBe('1 counted twice until the migration or resize of render-03 ends.')
  expect(noteFor(9, 8, 8)).toMatch(/^1 counted without a listed server\./)
  expect(noteFor(7, 8, 8)).toBe('1 of the listed servers no longer counted.')
  expect(countNote({ used: null, count: null })).toBeNull()
})

test('servers with passthrough GPUs explain why there are more servers than vGPUs', () => {
  expect(serversNote({ all: 18, vgpu: 18, passthrough: 0, unknown: 0 }, 18)).toBeNull()
  expect(serversNote({ all: 29, vgpu: 18, passthrough: 10, unknown: 1 }, 18)).toBe(
    'Your project has 29 servers with a GPU flavor: 18 with vGPUs, 10 with passthrough GPUs and 1 without a reported GPU. Passthrough GPUs do not count as vGPUs.',
  )
  expect(serversNote({ all: 5, vgpu: 5, passthrough: 0, unknown: 0 }, null)).toBeNull()
})

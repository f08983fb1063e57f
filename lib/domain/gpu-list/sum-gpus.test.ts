import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeTotals } from '@/lib/domain/fleet/describe-totals'
import { addPgpu, emptyTally } from '@/lib/domain/fleet/totals'
import { createGpuStore } from './gpu-store'
import { sumGpus } from './sum-gpus'
import { makeColumns } from './testing/make-columns'

const store = createGpuStore(
  makeColumns([
    { host: 'a', address: '1', used: 2, orphan: 1, creatable: 1 },
    { host: 'a', address: '2', used: null, spare: 1, creatable: 3, reason: 'the guests could not be read' },
    { host: 'silent', address: '1', used: 4 },
  ]),
)
const NONE = new Map<string, string | null>()
const SEEN = '2026-11-26T12:00:00.000Z'
const SILENT = new Map([['silent', SEEN]])

test('a pGPU with an unknown number counts with what is known of it', () => {
  expect(sumGpus(store, store.baseOrder, { silentHosts: NONE })).toMatchObject({
    pgpus: 3,
    hosts: 2,
    pgpusWithOrphans: 1,
    silent: 0,
    totals: {
      capacity: 12,
      used: 6,
      spare: 1,
      free: 4,
      blocked: 1,
      unknown: 0,
      unknownPgpus: 0,
    },
  })
})

test('passthrough GPUs have a separate total', () => {
  const mixed = createGpuStore(
    makeColumns([
      { host: 'a', address: '1', used: 2, creatable: 2 },
      { host: 'a', address: '2', framework: 'passthrough', capacity: 1, used: 1 },
      { host: 'a', address: '3', framework: 'passthrough', capacity: 1, used: null, reason: 'not reported' },
    ]),
  )
  expect(sumGpus(mixed, mixed.baseOrder, { silentHosts: NONE })).toMatchObject({
    totals: { pgpus: 1, capacity: 4, used: 2, unknown: 0 },
    passthrough: { pgpus: 2, capacity: 2, used: 1, unknown: 1, unknownReason: 'not reported' },
  })
})

test('the last known numbers of a silent host stay in the sums and are counted separately', () => {
  expect(sumGpus(store, store.baseOrder, { silentHosts: SILENT })).toMatchObject({
    silent: 1,
    totals: {
      capacity: 12,
      used: 6,
      lastKnown: { hosts: 1, pgpus: 1, capacity: 4, used: 4, oldestSeenAt: SEEN },
    },
  })
})

test('a part of the rows sums for itself', () => {
  expect(sumGpus(store, store.baseOrder, { silentHosts: NONE, start: 2, end: 3 })).toMatchObject({
    pgpus: 1,
    hosts: 1,
    totals: { used: 4 },
  })
})

test('stranded capacity is blocked with its reason once a cloud is read', () => {
  const cloud = createGpuStore(
    makeColumns([
      { host: 'a', address: '1', creatable: 4, stranded: 3, strandedReason: 'no flavor', service: 'up' },
      { host: 'b', address: '1', creatable: 4, stranded: null, service: 'up' },
    ]),
  )
  expect(sumGpus(cloud, cloud.baseOrder, { silentHosts: NONE }).totals).toMatchObject({
    free: 1,
    blocked: 3,
    unknown: 4,
    blockedBy: [{ kind: 'stranded', reason: 'no flavor', count: 3 }],
  })
})

test('the sums are those that the server makes pGPU by pGPU', () => {
  const number = fc.option(fc.integer({ min: 0, max: 9 }), { nil: null })
  const card = fc.record({
    host: fc.constantFrom('a', 'b', 'silent'),
    address: fc.constant('1'),
    framework: fc.constantFrom('mdev', 'passthrough'),
    capacity: number,
    used: number,
    spare: number,
    orphan: number,
    returning: number,
    creatable: number,
    stranded: number,
    service: fc.constantFrom('up' as const, null),
  })
  fc.assert(
    fc.property(fc.array(card, { maxLength: 8 }), (cards) => {
      const some = createGpuStore(makeColumns(cards))
      const tally = emptyTally()
      const isCloudRead = cards.some(({ service }) => service !== null)
      for (const one of cards)
        addPgpu(tally, {
          ...one,
          isPassthrough: one.framework === 'passthrough',
          isCloudRead,
          silentHost: one.host === 'silent' ? 1 : null,
          reasonIndex: -1,
          strandedReasonIndex: -1,
        })
      const texts = { reasonAt: () => undefined, strandedReasonAt: () => undefined, seenAtOf: () => SEEN }
      expect(sumGpus(some, some.baseOrder, { silentHosts: SILENT })).toMatchObject(
        describeTotals(tally, texts),
      )
    }),
  )
})

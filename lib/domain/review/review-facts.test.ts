import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HistoryEvent, PgpuPoint } from '@/lib/domain/history/events'
import { projectGrowth } from './project-growth'
import { reviewCards, strandedByReason, sumReviewCards } from './review-cards'
import { silentIntervals } from './silent-intervals'
import { whatHelps } from './what-helps'

const HOUR = 3_600_000

const point = (words: Partial<PgpuPoint> = {}): PgpuPoint => ({
  model: 'NVIDIA A40',
  typeId: 'nvidia-222',
  typeName: 'A40-4Q',
  framework: 'mdev-sriov',
  capacity: 12,
  used: 2,
  spare: 1,
  orphan: 0,
  ...words,
})
const card = (hostId: number, words: Partial<PgpuPoint> = {}, address = '61'): HistoryEvent => ({
  kind: 'pgpu',
  hostId,
  address,
  at: 0,
  point: point(words),
})
const word = (
  hostId: number,
  stranded: number | null,
  because: string | null,
  address = '61',
): HistoryEvent => ({
  kind: 'cloud',
  hostId,
  address,
  at: 0,
  point: { stranded, because, aggregates: null },
})

test('the last known numbers of hosts without data stay in the totals and are counted separately', () => {
  const whole = { framework: 'passthrough', typeId: null, capacity: 1, used: 1, spare: 0 }
  const events = [card(1), card(2, { capacity: 6, used: 6 }), card(1, whole, '62')]
  const nothing = { capacity: 0, used: 0, spare: 0, orphan: 0, stranded: null }
  expect(sumReviewCards(reviewCards(events, new Set([1])))).toEqual({
    ...nothing,
    capacity: 19,
    used: 8,
    spare: 2,
    passthrough: { capacity: 1, used: 1 },
    lastKnown: { hosts: 1, capacity: 7, used: 6, passthroughCapacity: 0 },
  })
  expect(sumReviewCards([])).toBeNull()
  expect(sumReviewCards(reviewCards(events, new Set()))).toMatchObject({
    capacity: 19,
    lastKnown: { hosts: 2, capacity: 19, used: 8, passthroughCapacity: 1 },
  })
})

test('stranded vGPUs are listed by reason, in an order that does not depend on the input', () => {
  const events = [
    ...[1, 2, 3].flatMap((host) => [card(host), card(host, {}, '62')]),
    word(1, 3, 'no flavor asks for them'),
    word(2, 2, null),
    word(2, 2, 'nova-compute is down', '62'),
    word(3, 9, 'of a host without data'),
  ]
  fc.assert(
    fc.property(fc.shuffledSubarray(events, { minLength: events.length }), (shuffled) => {
      const groups = strandedByReason(reviewCards(shuffled, new Set([1, 2])))
      expect(groups.map(({ because, vgpus }) => [because, vgpus])).toEqual([
        ['of a host without data', 9],
        ['no flavor requests them', 3],
        [null, 2],
        ['nova-compute is down', 2],
      ])
    }),
  )
})

test('silence is what lies between watched stretches, from when a host is known', () => {
  const terms = { from: 0, until: 100 * HOUR, minMs: HOUR }
  const watches = [
    { hostId: 1, since: -50 * HOUR, until: 10 * HOUR },
    { hostId: 1, since: 10.5 * HOUR, until: 20 * HOUR },
    { hostId: 1, since: 15 * HOUR, until: 30 * HOUR },
    { hostId: 1, since: 16 * HOUR, until: 18 * HOUR },
    { hostId: 1, since: 40 * HOUR, until: 200 * HOUR },
    { hostId: 2, since: 60 * HOUR, until: 70 * HOUR },
  ]
  expect(silentIntervals(watches, { ...terms, knownBefore: new Set([1, 3]) })).toEqual([
    { hostId: 3, from: 0, until: null },
    { hostId: 2, from: 70 * HOUR, until: null },
    { hostId: 1, from: 30 * HOUR, until: 40 * HOUR },
  ])
})

test('the projects with the largest differences are listed, growth first, and none without a difference', () => {
  const uses = [
    { key: 'a', before: 1, after: 1.9 },
    { key: 'b', before: 9, after: 3 },
    { key: 'c', before: 0, after: 4 },
    { key: 'd', before: 2, after: 4 },
  ]
  expect(projectGrowth(uses, 2)).toEqual({
    rows: [
      { key: 'c', before: 0, after: 4 },
      { key: 'b', before: 9, after: 3 },
    ],
    others: 1,
  })
})

const helpOf = (events: readonly HistoryEvent[], rest: Partial<Parameters<typeof whatHelps>[0]> = {}) =>
  whatHelps(
    {
      cards: reviewCards(events, new Set([1])),
      stranded: [],
      refused: [],
      orphans: { mdevs: 0, hosts: 0 },
      nameOf: (hostId) => `cmp-${hostId}`,
      ...rest,
    },
    3,
  )

test('unused cards help where another type of the same model is used up, and MIG-backed types are skipped', () => {
  const full = card(1, { typeId: 'b', typeName: 'A40-24Q', capacity: 2, used: 2 }, '62')
  const unused = { used: 0, spare: 0 }
  expect(helpOf([full, card(1, unused)])).toEqual([
    { sentence: expect.stringContaining('from A40-4Q to A40-24Q, which is full'), effect: '+2' },
  ])
  expect(helpOf([full, card(1, { ...unused, used: 1 })])).toEqual([])
  expect(helpOf([full, card(1, { ...unused, model: 'Tesla T4' })])).toEqual([])
  expect(helpOf([full, card(1, { ...unused, typeName: 'A100-1-5C' })])).toEqual([])
  expect(helpOf([full, card(2, unused)])).toEqual([])
})

test('the recommendation for the demand is kept, and nothing is stated where nothing follows', () => {
  const stranded = ['a', 'b', 'c', 'd'].map((because, index) => ({ because, vgpus: 9 - index, hostIds: [1] }))
  const refused = [{ flavor: 'vgpu.large', reason: 'over-limit' as const, servers: 1 }]
  const help = helpOf([], { stranded, refused })
  expect(help.map(({ effect }) => effect)).toEqual(['+9', '+8', null])
  expect(help[2]?.sentence).toBe('Raise the quota for vgpu.large. It prevented 1 server.')
  expect(helpOf([], { stranded: [{ because: null, vgpus: 4, hostIds: [1] }] })).toEqual([])
})

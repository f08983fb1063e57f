import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeTotals } from './describe-totals'
import type { PgpuCounts } from './divide-capacity'
import { WAITING_FOR_CLEANING } from './stranded-reasons'
import { addPgpu, emptyTally, mergeTally, type TalliedPgpu } from './totals'

const REASONS = ['the guests could not be read', 'no driver']
const STRANDED = ['nova-compute is disabled', WAITING_FOR_CLEANING]
const SEEN = '2026-11-26T12:00:00.000Z'

const counts: PgpuCounts = {
  capacity: 12,
  used: 6,
  spare: 2,
  orphan: 1,
  returning: 1,
  creatable: 2,
  stranded: 0,
}

const pgpu = (rest: Partial<TalliedPgpu> = {}): TalliedPgpu => ({
  ...counts,
  isPassthrough: false,
  isCloudRead: true,
  silentHost: null,
  reasonIndex: 0,
  strandedReasonIndex: 0,
  ...rest,
})

const tallyOf = (pgpus: readonly TalliedPgpu[]) => {
  const tally = emptyTally()
  for (const one of pgpus) addPgpu(tally, one)
  return tally
}
const describeAll = (tally: ReturnType<typeof emptyTally>) =>
  describeTotals(tally, {
    reasonAt: (index) => REASONS[index],
    strandedReasonAt: (index) => STRANDED[index],
    seenAtOf: (host) => (host === 0 ? null : SEEN),
  })
const totalsOf = (...pgpus: Partial<TalliedPgpu>[]) => describeAll(tallyOf(pgpus.map(pgpu))).totals

test('capacity is divided into in use, reusable, free, blocked and unknown', () => {
  expect(totalsOf({}, {})).toEqual({
    pgpus: 2,
    capacity: 24,
    used: 12,
    spare: 4,
    free: 4,
    blocked: 4,
    unknown: 0,
    blockedBy: [
      { kind: 'orphaned', reason: 'held by orphaned mdevs', count: 2 },
      { kind: 'locked', reason: 'locked by other vGPUs on the pGPU', count: 2 },
    ],
    orphan: 2,
    locked: 2,
    stranded: 0,
    returning: 2,
    unknownPgpus: 0,
    unknownReason: null,
    unknownBy: [],
    lastKnown: null,
  })
})

test('the last known numbers of a host that does not report stay in the totals and are counted separately', () => {
  expect(totalsOf({}, { silentHost: 7 })).toMatchObject({
    capacity: 24,
    used: 12,
    unknown: 0,
    lastKnown: {
      hosts: 1,
      pgpus: 1,
      capacity: 12,
      used: 6,
      spare: 2,
      free: 2,
      blocked: 2,
      unknown: 0,
      oldestSeenAt: SEEN,
    },
  })
})

test('vGPUs and passthrough GPUs are two totals', () => {
  const { totals, passthrough } = describeAll(
    tallyOf([pgpu(), pgpu({ isPassthrough: true, capacity: 1, used: 1, spare: 0, orphan: 0, creatable: 0 })]),
  )
  expect([totals.capacity, passthrough.capacity, passthrough.used]).toEqual([12, 1, 1])
})

test('stranded capacity is blocked with its reason, what is creatable first', () => {
  expect(totalsOf({ stranded: 3 }, { stranded: 1, strandedReasonIndex: 1 })).toMatchObject({
    spare: 3,
    free: 1,
    blocked: 8,
    stranded: 4,
    blockedBy: expect.arrayContaining([
      { kind: 'stranded', reason: 'nova-compute is disabled', count: 3 },
      { kind: 'cleaning', reason: WAITING_FOR_CLEANING, count: 1 },
    ]),
  })
})

test('what neither Nova nor Placement shows as schedulable is unknown; without a cloud the driver decides', () => {
  expect(totalsOf({ stranded: null })).toMatchObject({
    free: 0,
    unknown: 2,
    unknownReason: 'Nova and Placement do not show whether the rest can be scheduled',
  })
  expect(totalsOf({ stranded: null, isCloudRead: false })).toMatchObject({ free: 2, unknown: 0 })
})

test('unreadable guests make the capacity that they may hold unknown, not free and not 0', () => {
  expect(totalsOf({ used: null, spare: null })).toMatchObject({
    capacity: 12,
    used: null,
    spare: null,
    free: 2,
    unknown: 9,
    unknownReason: 'the guests could not be read',
  })
})

test('a pGPU without a known capacity is in no sum, and gives the reason', () => {
  expect(totalsOf({}, { capacity: null, used: 3, reasonIndex: 1 })).toMatchObject({
    pgpus: 2,
    capacity: 12,
    used: 6,
    unknownPgpus: 1,
    unknownReason: 'no driver',
  })
  expect(totalsOf({ capacity: null })).toMatchObject({
    capacity: null,
    used: null,
    free: null,
    blocked: null,
  })
})

test('the totals over no pGPU are 0', () => {
  expect(totalsOf()).toMatchObject({
    pgpus: 0,
    capacity: 0,
    used: 0,
    blocked: 0,
    unknown: 0,
    lastKnown: null,
  })
})

test('a driver that offers more than fits, or a pGPU that holds more, still adds up', () => {
  expect(totalsOf({ creatable: 12 })).toMatchObject({ capacity: 12, free: 3, locked: 0 })
  expect(totalsOf({ capacity: 4 })).toMatchObject({ capacity: 9, free: 0, locked: 0 })
})

const anyNumber = fc.option(fc.nat(64), { nil: null })
const anyPgpu: fc.Arbitrary<TalliedPgpu> = fc.record({
  capacity: anyNumber,
  used: anyNumber,
  spare: anyNumber,
  orphan: anyNumber,
  returning: anyNumber,
  creatable: anyNumber,
  stranded: anyNumber,
  isPassthrough: fc.boolean(),
  isCloudRead: fc.boolean(),
  silentHost: fc.option(fc.nat(3), { nil: null }),
  reasonIndex: fc.constantFrom(-1, 0, 1),
  strandedReasonIndex: fc.constantFrom(-1, 0, 1),
})
const anyFleet = fc.array(anyPgpu, { maxLength: 12 })
const PARTS = ['used', 'spare', 'free', 'blocked', 'unknown'] as const

/** The partition as it is defined, of one unit and of its last known part. */
const partitions = (pgpus: readonly TalliedPgpu[]) =>
  Object.values(describeAll(tallyOf(pgpus))).flatMap((totals) =>
    totals.lastKnown === null ? [totals] : [totals, totals.lastKnown],
  )

test('capacity = used + spare + free + blocked + unknown for every fleet', () => {
  fc.assert(
    fc.property(anyFleet, (pgpus) => {
      for (const totals of partitions(pgpus)) {
        const parts = PARTS.map((name) => totals[name])
        for (const part of parts) expect(part ?? 0).toBeGreaterThanOrEqual(0)
        expect(parts.reduce<number>((sum, part) => sum + (part ?? 0), 0)).toBe(totals.capacity ?? 0)
        if (totals.capacity === null) expect(parts).toEqual(PARTS.map(() => null))
      }
    }),
  )
})

test('what is blocked is what its reasons count, and the last known part is a part', () => {
  fc.assert(
    fc.property(anyFleet, (pgpus) => {
      for (const totals of Object.values(describeAll(tallyOf(pgpus)))) {
        expect(totals.blockedBy.reduce((sum, { count }) => sum + count, 0)).toBe(totals.blocked ?? 0)
        expect((totals.orphan ?? 0) + (totals.locked ?? 0) + (totals.stranded ?? 0)).toBe(totals.blocked ?? 0)
        for (const name of ['capacity', ...PARTS] as const)
          expect(totals.lastKnown?.[name] ?? 0).toBeLessThanOrEqual(totals[name] ?? 0)
      }
    }),
  )
})

test('the totals over any grouping add up to the totals of the fleet', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyPgpu, fc.nat(3)), { maxLength: 16 }), (placed) => {
      const groups = [0, 1, 2, 3].map((group) =>
        tallyOf(placed.filter(([, of]) => of === group).map(([one]) => one)),
      )
      const merged = emptyTally()
      for (const group of groups) mergeTally(merged, group)
      expect(describeAll(merged)).toEqual(describeAll(tallyOf(placed.map(([one]) => one))))
    }),
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type HistoryEvent, type PgpuPoint, watchEvents } from './events'
import { averageOf, FIGURES, type Figure, joinRow, type Slot } from './figures'
import { createFleetGroups, fleetGroupsOfHolding, presenceOfPgpu } from './groups'
import { type RolledGroup, rollUp } from './roll-up'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const RULES = {
  groupsOfPgpu: createFleetGroups(),
  groupsOfHolding: fleetGroupsOfHolding,
  presenceOfPgpu,
}

const roll = (events: readonly HistoryEvent[], { hours = 1, steps = 1 } = {}): RolledGroup[] =>
  rollUp({
    events: events.toSorted((a, b) => a.at - b.at),
    begin: 0,
    stepMs: hours * HOUR,
    until: hours * steps * HOUR,
    ...RULES,
  })

const groupOf = (groups: readonly RolledGroup[], dimension: string, key = ''): (Slot | null)[] =>
  groups.find((group) => group.dimension === dimension && group.key === key)?.slots ?? []

const point = (words: Partial<PgpuPoint> = {}): PgpuPoint => ({
  model: 'NVIDIA A40',
  typeId: 'nvidia-222',
  typeName: 'A40-4Q',
  framework: 'mdev-sriov',
  capacity: 12,
  used: 2,
  spare: 0,
  orphan: 0,
  ...words,
})

const card = (minutes: number, words: Partial<PgpuPoint> | null, hostId = 1): HistoryEvent => ({
  kind: 'pgpu',
  hostId,
  address: '0000:61:00.0',
  at: minutes * MINUTE,
  point: words && point(words),
})

const watched = (...stretches: [from: number, until: number, hostId?: number][]): HistoryEvent[] =>
  watchEvents(
    stretches.map(([from, until, hostId = 1]) => ({
      hostId,
      since: from * MINUTE,
      until: until * MINUTE,
    })),
  )

test('a time without data is a gap: it is neither 0 nor in the average, and its capacity is unseen', () => {
  const [slot] = groupOf(
    roll([...watched([0, 30], [45, 70]), card(0, { used: 2 }), card(15, { used: 4 })]),
    'all',
  )
  expect(slot?.knownMs).toBe(45 * MINUTE)
  expect(slot?.gapMs).toBe(15 * MINUTE)
  expect(slot?.used).toEqual({
    knownMs: 45 * MINUTE,
    integral: (2 * 15 + 4 * 30) * MINUTE,
    min: 2,
    max: 4,
  })
  expect(slot?.capacity).toMatchObject({ min: 12, max: 12 })
  expect(slot?.unseen).toEqual({ knownMs: HOUR, integral: 12 * 15 * MINUTE, min: 0, max: 12 })
})

test('an hour without data has no numbers, and the last known capacity is unseen', () => {
  const [first, second] = groupOf(roll([...watched([0, 60]), card(0, {})], { steps: 2 }), 'all')
  expect(first?.used.max).toBe(2)
  expect(second).toMatchObject({ knownMs: 0, gapMs: HOUR, used: { min: null, max: null, knownMs: 0 } })
  expect(averageOf(second?.used ?? { knownMs: 0, integral: 0, min: 0, max: 0 })).toBeNull()
  expect(second?.unseen).toMatchObject({ min: 12, max: 12 })
})

test('of two hosts the silent one is unseen and the other continues counting', () => {
  const groups = roll([...watched([0, 30], [0, 60, 2]), card(0, {}), card(0, { used: 5 }, 2)])
  expect(groupOf(groups, 'all')[0]).toMatchObject({
    knownMs: HOUR,
    gapMs: 0,
    capacity: { min: 12, max: 24 },
    used: { min: 5, max: 7 },
    unseen: { min: 0, max: 12 },
  })
})

test('a type that comes in the middle of the hour was 0 before, as far as the fleet was watched', () => {
  const groups = roll([
    ...watched([20, 60]),
    card(0, { typeId: 'nvidia-222' }),
    card(40, { typeId: 'nvidia-223', typeName: null, capacity: 6 }),
  ])
  expect(groupOf(groups, 'type', 'nvidia-223')[0]).toMatchObject({
    knownMs: 40 * MINUTE,
    gapMs: 0,
    capacity: { integral: 6 * 20 * MINUTE, min: 0, max: 6 },
  })
  expect(groups.find(({ key }) => key === 'nvidia-222')?.label).toBe('A40-4Q')
})

test('a pGPU that is gone counts nowhere, and an unknown number is not 0', () => {
  const [slot] = groupOf(
    roll([...watched([0, 60], [0, 60, 2]), card(0, { used: null }, 2), card(0, {}), card(30, null)]),
    'all',
  )
  expect(slot?.used).toMatchObject({ knownMs: 30 * MINUTE, integral: 2 * 30 * MINUTE, min: 2 })
  expect(slot?.capacity).toMatchObject({ min: 12, max: 24, integral: 12 * 90 * MINUTE })
  const unknown = groupOf(roll([...watched([0, 60]), card(0, { spare: null })]), 'all')[0]
  expect(unknown?.spare).toEqual({ knownMs: 0, integral: 0, min: null, max: null })
})

test('a pGPU counts in each of its aggregates, with what is stranded', () => {
  const word: HistoryEvent = {
    kind: 'cloud',
    hostId: 1,
    address: '0000:61:00.0',
    at: 30 * MINUTE,
    point: { stranded: 3, aggregates: ['a', 'b'] },
  }
  const groups = roll([...watched([0, 60]), card(0, {}), word])
  expect(groupOf(groups, 'aggregate', 'a')).toEqual(groupOf(groups, 'aggregate', 'b'))
  expect(groupOf(groups, 'aggregate', 'b')[0]?.capacity).toMatchObject({ integral: 12 * 30 * MINUTE, min: 0 })
  expect(groupOf(groups, 'all')[0]?.stranded).toMatchObject({ knownMs: 30 * MINUTE, min: 3, max: 3 })
})

const atMinute = fc.integer({ min: 0, max: 239 })
const number = fc.option(fc.integer({ min: 0, max: 8 }), { nil: null })
const cards = fc.record({
  minutes: atMinute,
  hostId: fc.integer({ min: 1, max: 3 }),
  words: fc.option(
    fc.record({
      typeId: fc.constantFrom('nvidia-1', 'nvidia-2', null),
      model: fc.constantFrom('A', 'B', null),
      capacity: number,
      used: number,
      spare: number,
      orphan: number,
    }),
    { nil: null },
  ),
})
const holdings = fc.record({
  minutes: atMinute,
  hostId: fc.integer({ min: 1, max: 3 }),
  uuid: fc.constantFrom('x', 'y'),
  count: fc.integer({ min: 0, max: 3 }),
  flavorName: fc.constantFrom('f', 'g', null),
  projectId: fc.constantFrom('p', 'q'),
})
const stretches = fc.record({
  hostId: fc.integer({ min: 1, max: 3 }),
  from: fc.integer({ min: -10, max: 230 }),
  length: fc.integer({ min: 0, max: 120 }),
})

const histories = fc
  .record({
    cards: fc.array(cards, { maxLength: 20 }),
    holdings: fc.array(holdings, { maxLength: 8 }),
    stretches: fc.array(stretches, { maxLength: 8 }),
  })
  .map((history): HistoryEvent[] =>
    [
      ...watched(
        ...history.stretches.map(({ from, length, hostId }): [number, number, number] => [
          from,
          from + length,
          hostId,
        ]),
      ),
      ...history.cards.map(({ minutes, words, hostId }) => card(minutes, words, hostId)),
      ...history.holdings.map(
        ({ minutes, hostId, uuid, count, flavorName, projectId }): HistoryEvent => ({
          kind: 'guest',
          hostId,
          uuid,
          at: minutes * MINUTE,
          point: count === 0 ? null : { flavorName, projectId, projectName: null, count },
        }),
      ),
    ].toSorted((a, b) => a.at - b.at),
  )

test('the figures of two hours joined are those of both', () => {
  fc.assert(
    fc.property(histories, (events) => {
      const hours = roll(events, { steps: 4 })
      const fleet = groupOf(hours, 'all')
      const joined = hours.map(({ dimension, key, slots }) => ({
        dimension,
        key,
        slots: [0, 2].map((index) =>
          joinRow(slots.slice(index, index + 2), {
            fleet: fleet.slice(index, index + 2),
            isHeld: dimension === 'flavor' || dimension === 'project',
          }),
        ),
      }))
      const both = roll(events, { hours: 2, steps: 2 })
      expect(joined).toEqual(both.map(({ dimension, key, slots }) => ({ dimension, key, slots })))
    }),
  )
})

test('types sum to all, and so do models; flavors sum to what projects do', () => {
  fc.assert(
    fc.property(histories, (events) => {
      const groups = roll(events, { steps: 4 })
      const sum = (dimension: string, index: number, name: keyof Slot) =>
        groups
          .filter((group) => group.dimension === dimension)
          .reduce((total, { slots }) => {
            const figure = slots[index]?.[name]
            return total + (typeof figure === 'object' ? figure.integral : 0)
          }, 0)
      for (const index of [0, 1, 2, 3]) {
        for (const name of [...FIGURES, 'unseen'] as const) {
          expect(sum('type', index, name)).toBe(sum('all', index, name))
          expect(sum('model', index, name)).toBe(sum('all', index, name))
        }
        expect(sum('flavor', index, 'used')).toBe(sum('project', index, 'used'))
      }
    }),
  )
})

test('the value at the end is that of the last time before it', () => {
  const last = (figure: Figure | undefined) => figure?.max ?? null
  fc.assert(
    fc.property(histories, (events) => {
      const until = 4 * HOUR
      // Nothing happens within a minute, so the last one has one number of each.
      const minute = rollUp({ events, begin: until - MINUTE, stepMs: MINUTE, until, ...RULES })
      const slots = new Map(
        minute.map(({ dimension, key, slots }) => [`${dimension} ${key}`, slots[0] ?? null]),
      )
      const fleet = slots.get('all ') ?? null
      for (const { dimension, key, current } of roll(events, { steps: 4 })) {
        const slot = slots.get(`${dimension} ${key}`)
        // Without a member it is 0 while the fleet has data.
        const none = fleet === null || fleet.knownMs === 0 ? null : 0
        const isHeld = dimension === 'flavor' || dimension === 'project'
        if (slot == null)
          expect(current).toEqual({
            capacity: isHeld ? null : none,
            used: none,
            stranded: isHeld ? null : none,
            unseen: none,
          })
        else
          expect(current).toEqual({
            capacity: last(slot.capacity),
            used: last(slot.used),
            stranded: last(slot.stranded),
            unseen: last(slot.unseen),
          })
      }
    }),
  )
})

/** A pGPU that holds more than its capacity counts with what it holds. */
const totalOf = ({ capacity, used, spare, orphan }: PgpuPoint): number =>
  capacity === null ? 0 : Math.max(capacity, (used ?? 0) + (spare ?? 0) + (orphan ?? 0))

test('passthrough GPUs are never added to vGPUs, and a fleet of them alone is known to have 0 vGPUs', () => {
  const whole = { framework: 'passthrough', typeId: null, typeName: null, capacity: 1, used: 1 }
  const groups = roll([...watched([0, 60], [0, 60, 2]), card(0, {}), card(0, whole, 2)])
  const capacityOf = (dimension: string, key?: string) => groupOf(groups, dimension, key)[0]?.capacity.max
  expect([capacityOf('all'), capacityOf('all', 'passthrough')]).toEqual([12, 1])
  expect([capacityOf('model', 'NVIDIA A40'), capacityOf('model', 'passthrough NVIDIA A40')]).toEqual([12, 1])
  const alone = roll([...watched([0, 60]), card(0, whole)])
  expect(groupOf(alone, 'all')[0]).toMatchObject({ capacity: { max: 0, knownMs: HOUR }, unseen: { max: 0 } })
})

test('the figures are those that counting minute by minute gives', () => {
  fc.assert(
    fc.property(histories, (events) => {
      const latest = new Map<number, PgpuPoint | null>()
      const seen = new Map<number, boolean>()
      const sums: { used: number | null; unseen: number }[] = []
      for (let minute = 0; minute < 60; minute += 1) {
        latest.clear()
        seen.clear()
        for (const event of events.filter(({ at }) => at <= minute * MINUTE)) {
          if (event.kind === 'watch') seen.set(event.hostId, event.isWatched)
          if (event.kind === 'pgpu') latest.set(event.hostId, event.point)
        }
        const present = [...latest].flatMap(([id, it]) => (it === null ? [] : [{ id, it }]))
        const used = present.flatMap(({ id, it }) =>
          seen.get(id) && it.used !== null && it.capacity !== null ? [it.used] : [],
        )
        sums.push({
          used: used.length === 0 ? null : used.reduce((a, b) => a + b),
          unseen: present.reduce((sum, { id, it }) => sum + (seen.get(id) ? 0 : totalOf(it)), 0),
        })
      }
      const known = sums.flatMap(({ used }) => used ?? [])
      const [slot] = groupOf(roll(events), 'all')
      expect(slot?.used ?? { min: null, max: null, integral: 0, knownMs: 0 }).toEqual({
        knownMs: known.length * MINUTE,
        integral: known.reduce((a, b) => a + b, 0) * MINUTE,
        min: known.length === 0 ? null : Math.min(...known),
        max: known.length === 0 ? null : Math.max(...known),
      })
      expect(slot?.unseen.integral ?? 0).toBe(sums.reduce((sum, { unseen }) => sum + unseen, 0) * MINUTE)
    }),
  )
})

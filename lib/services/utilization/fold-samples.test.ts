import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { DAY_MS, HOUR_MS } from '@/lib/domain/history/series'
import type { Sample } from '@/lib/domain/utilization/sample'
import { addGuestChange, guestUuid } from '@/lib/services/history/testing/add-changes'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld } from '@/lib/services/testing/service-world'
import { addArrival } from './arrival-rows'
import { foldSamples } from './fold-samples'
import { loadGroupSlots } from './group-rows'
import { loadPages, type Step } from './page-rows'
import { rebuildPages } from './rebuild-pages'
import { rollUpUsage } from './roll-up-groups'
import { listSeries } from './series-rows'
import { writeUsageHours } from './write-usage-hours'

const world = createServiceWorld()
vi.setConfig({ testTimeout: 90_000 })

const BEGIN = Date.parse('2026-11-20T22:00:00Z')
const MINUTE = 60_000
const TERMS = { horizon: new Date(BEGIN + 6 * HOUR_MS), minutesSince: new Date(0) }
const ADDRESS = '0000:61:00.0'

const sampleAt = (at: number, [card, vgpu]: readonly [number | null, number | null]): Sample => ({
  at,
  readings: [
    { address: ADDRESS, vgpu: null, guest: null, utilization: card, usedMib: 4096, totalMib: 46_068 },
    ...(vgpu === null
      ? []
      : [
          {
            address: ADDRESS,
            vgpu: 'mdev-1',
            guest: guestUuid('guest-1'),
            utilization: vgpu,
            usedMib: 512,
            totalMib: 4096,
          },
        ]),
  ],
})

const newHost = async () => {
  const cloud = await world.newCloud()
  const hostId = await writeHost(world.database(), {
    cloudId: cloud.id,
    name: 'cmp-1',
    pgpus: [{ address: ADDRESS }],
  })
  return { cloudId: cloud.id, hostId }
}

/** The content of all pages of a host and its groups, by names instead of numbers. */
const historyOf = async ({ cloudId, hostId }: { cloudId: number; hostId: number }) => {
  const { query } = world.database()
  const names = new Map((await listSeries(query, hostId)).map(({ id, vgpu }) => [id, vgpu ?? 'card']))
  const read = async (step: Step) =>
    (
      await loadPages(query, { step, hostIds: [hostId], kinds: ['pgpu', 'vgpu'], from: 0, until: BEGIN * 2 })
    ).flatMap(({ begin, series }) => series.map(({ id, slots }) => ({ begin, name: names.get(id), slots })))
  const range = {
    cloudId,
    dimension: 'all',
    key: null,
    from: BEGIN - 22 * HOUR_MS,
    until: BEGIN + 26 * HOUR_MS,
  }
  return {
    minute: await read('minute'),
    five: await read('five'),
    hour: await read('hour'),
    day: await read('day'),
    hours: await loadGroupSlots(query, { ...range, step: 'hour' }),
    days: await loadGroupSlots(query, { ...range, step: 'day' }),
  }
}

const settle = async (cloudId: number) => {
  while (!(await foldSamples(world.database(), TERMS)));
  while (!(await rollUpUsage(world.database(), cloudId)));
}

test('samples in any order, repeated, late and in any parts give the same history', async () => {
  const percent = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null })
  const sample = fc
    .tuple(fc.integer({ min: 0, max: 4 * 3600 - 1 }), percent, percent)
    .map(([second, card, vgpu]) => sampleAt(BEGIN + second * 1000, [card, vgpu]))
  const someSamples = fc.array(sample, { minLength: 1, maxLength: 24 })
  const deliveries = someSamples.chain((samples) => {
    const some = fc.subarray(samples, { minLength: 1 })
    return fc.record({
      samples: fc.constant(samples),
      parts: fc.array(fc.record({ part: some, isSettled: fc.boolean() }), { maxLength: 5 }),
    })
  })
  await fc.assert(
    fc.asyncProperty(deliveries, async ({ samples, parts }) => {
      const { query } = world.database()
      const orderly = await newHost()
      await addArrival(
        query,
        orderly.hostId,
        samples.toSorted((a, b) => a.at - b.at),
      )
      await settle(orderly.cloudId)
      const other = await newHost()
      for (const { part, isSettled } of parts) {
        await addArrival(query, other.hostId, part)
        if (isSettled) await settle(other.cloudId)
      }
      await addArrival(query, other.hostId, samples.toReversed())
      await settle(other.cloudId)
      expect(await historyOf(other)).toEqual(await historyOf(orderly))
    }),
    { numRuns: 6, seed: 7 },
  )
})

test('minutes become five minutes, hours, a day and the figures of the fleet, and a gap stays one', async () => {
  const host = await newHost()
  const { query } = world.database()
  const samples = [0, 1, 2, 4].map((minute) =>
    sampleAt(BEGIN + minute * MINUTE, [[10, 20, 40, 0, 90][minute] ?? 0, null]),
  )
  await addArrival(query, host.hostId, [...samples, sampleAt(BEGIN + 2 * HOUR_MS, [null, 7])])
  await settle(host.cloudId)
  const history = await historyOf(host)
  const card = history.five.find(({ begin, name }) => begin === BEGIN && name === 'card')
  expect(card?.slots[0]?.utilization).toEqual({ count: 4, min: 10, average: 40, max: 90 })
  expect(card?.slots.slice(1)).toEqual(new Array(11).fill(null))
  const hours = history.hours.get('') ?? []
  expect(hours[22]?.utilization).toEqual({ count: 4, min: 40, average: 40, max: 40 })
  expect(hours[23]).toBeNull()
  // On the next day only its framebuffer was reported.
  expect(hours[24]).toMatchObject({ utilization: null, usedMib: { average: 4096 }, totalMib: 46_068 })
  expect(history.days.get('')).toHaveLength(2)
})

test('what is older than minutes are kept changes nothing, and what continues waits', async () => {
  const host = await newHost()
  const { query } = world.database()
  await addArrival(query, host.hostId, [sampleAt(BEGIN, [50, null])])
  await addArrival(query, host.hostId, [sampleAt(TERMS.horizon.getTime() + MINUTE, [60, null])])
  await foldSamples(world.database(), { ...TERMS, minutesSince: new Date(BEGIN + HOUR_MS) })
  expect((await historyOf(host)).minute).toEqual([])
  const waiting = await query('SELECT 1 FROM utilisation_arrival WHERE host_id = $1', [host.hostId])
  expect(waiting).toHaveLength(1)
})

const WRONG = { utilization: { count: 60, min: 0, average: 30, max: 70 }, usedMib: null, totalMib: null }

test('what is summed is recreated of the minutes, and what is older than they or the changes are stays', async () => {
  const host = await newHost()
  const { cloudId, hostId } = host
  const { query } = world.database()
  const day = (daysLater: number): number => Math.floor(BEGIN / DAY_MS + daysLater) * DAY_MS
  const writeHour = (begin: number, hour: number) => {
    const hours = Array.from({ length: 24 }, (_, index) => (index === hour ? WRONG : null))
    const card = { address: ADDRESS, vgpu: null, guest: null, hours }
    const series = [card, { ...card, vgpu: 'mdev-1', guest: guestUuid('guest-1') }]
    return writeUsageHours(query, { hostId, day: begin, series })
  }
  const flavors = async () => {
    const range = { cloudId, dimension: 'flavor', key: null, from: day(-20), until: day(2) }
    return loadGroupSlots(query, { ...range, step: 'day' })
  }
  await world.database().prisma.guest.create({
    data: { hostId, uuid: guestUuid('guest-1'), name: 'guest-1' },
  })
  const held = { guest: 'guest-1', addresses: [ADDRESS], typeIds: ['nvidia-222'] }
  await addGuestChange(query, { hostId, at: new Date(day(-30)), flavorName: 'vgpu.small', ...held })
  await writeHour(day(-20), 5)
  await writeHour(day(-2), 5)
  await addArrival(query, hostId, [
    ...[0, 1, 7].map((minute) => sampleAt(BEGIN + minute * MINUTE, [minute * 10, minute])),
    sampleAt(BEGIN + 3 * HOUR_MS, [50, 60]),
  ])
  await settle(cloudId)
  // Those of pGPUs are kept for longer.
  await query('DELETE FROM utilisation_vgpu_hour WHERE begin < $1::timestamptz', [new Date(day(-10))])
  const [before, flavorsBefore] = [await historyOf(host), await flavors()]
  expect(flavorsBefore.get('vgpu.small')?.filter((slot) => slot !== null)).toHaveLength(4)

  await query('DELETE FROM utilisation_five WHERE host_id = $1', [hostId])
  await writeHour(day(0), 22)
  await writeHour(day(1), 1)
  await settle(cloudId)
  expect(await historyOf(host)).not.toEqual(before)
  const terms = { minutesSince: new Date(day(0)), groupsSince: new Date(day(-30)) }
  await rebuildPages(world.database(), terms)
  expect(await historyOf(host)).toEqual(before)
  expect(await flavors()).toEqual(flavorsBefore)

  await query(`UPDATE guest_owner SET flavor_name = 'vgpu.other' WHERE flavor_name = 'vgpu.small'`)
  await rebuildPages(world.database(), { ...terms, groupsSince: new Date(day(0)) })
  const indexesOf = (slots: readonly unknown[] | undefined) =>
    [...(slots ?? []).entries()].flatMap(([index, slot]) => (slot === null ? [] : [index]))
  const after = await flavors()
  expect(indexesOf(after.get('vgpu.small'))).toEqual([0, 18])
  expect(indexesOf(after.get('vgpu.other'))).toEqual([20, 21])
})

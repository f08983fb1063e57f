import { expect, test, vi } from 'vitest'
import { DAY_MS } from '@/lib/domain/history/series'
import type { UsageSlot } from '@/lib/domain/utilization/usage-slot'
import { anyRow } from '@/lib/server/testing/any-row'
import { addGuestChange, guestUuid } from '@/lib/services/history/testing/add-changes'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld } from '@/lib/services/testing/service-world'
import { findIdleVgpus } from './find-idle-vgpus'
import { loadPages } from './page-rows'
import { rollUpUsage } from './roll-up-groups'
import { dropOldPages, makePagePartitions } from './start-utilization'
import { sumFleetUsage } from './sum-fleet-usage'
import { writeUsageHours } from './write-usage-hours'

const world = createServiceWorld()
vi.setConfig({ testTimeout: 90_000 })

const ADDRESS = '0000:61:00.0'
const NOW = Date.parse('2026-11-21T00:00:00Z')

/** An hour in which 60 samples were between 0 and `max` percent. */
const hour = (max: number, usedMib = 900): UsageSlot => ({
  utilization: { count: 60, min: 0, average: max / 2, max },
  usedMib: { count: 60, min: usedMib, average: usedMib, max: usedMib },
  totalMib: 4096,
})

const allDay = (max: number | null): (UsageSlot | null)[] =>
  new Array<UsageSlot | null>(24).fill(max === null ? null : hour(max))

/** The server's name without what they all begin with. */
const nameOf = ({ server }: { server: string }): string => server.replace('server of ', '')

/** `percentOn`: highest percent on the day so many days ago, of each guest; null: a gap. */
const newCloud = async (guests: Record<string, (daysAgo: number) => number | null>, measuredDays = 40) => {
  const cloud = await world.newCloud()
  const { query, prisma } = world.database()
  const hostId = await writeHost(world.database(), {
    cloudId: cloud.id,
    name: 'cmp-1',
    pgpus: [{ address: ADDRESS }],
  })
  for (const guest of Object.keys(guests)) {
    const uuid = guestUuid(guest)
    await prisma.guest.create({ data: { hostId, uuid, name: guest, userName: 'ada' } })
    const owner = { flavorName: 'vgpu.small', projectId: 'p1', projectName: 'Alpha' }
    const held = { name: `server of ${guest}`, ...owner, addresses: [ADDRESS], typeIds: ['nvidia-222'] }
    await addGuestChange(query, { hostId, guest, at: new Date('2026-09-01T00:00:00Z'), ...held })
  }
  for (let daysAgo = measuredDays; daysAgo > 0; daysAgo -= 1) {
    const series = Object.entries(guests).map(([guest, percentOn]) => ({
      address: ADDRESS,
      vgpu: `mdev-${guest}`,
      guest: guestUuid(guest),
      hours: allDay(percentOn(daysAgo)),
    }))
    const card = { address: ADDRESS, vgpu: null, guest: null, hours: allDay(daysAgo === 3 ? 80 : 40) }
    await writeUsageHours(query, { hostId, day: NOW - daysAgo * DAY_MS, series: [card, ...series] })
  }
  while (!(await rollUpUsage(world.database(), cloud.id)));
  return { cloudId: cloud.id, hostId }
}

test('a vGPU that was idle for weeks is listed with its owner, an unmeasured one is not', async () => {
  const { cloudId } = await newCloud({
    idle: (daysAgo) => (daysAgo > 20 ? 60 : 1),
    always: () => 0,
    busy: (daysAgo) => (daysAgo === 5 ? 30 : 0),
    gaps: (daysAgo) => (daysAgo > 20 ? 60 : daysAgo < 3 ? 0 : null),
    silent: (daysAgo) => (daysAgo > 3 ? 0 : null),
    unmeasured: () => null,
  })
  const { query } = world.database()
  const found = await findIdleVgpus(query, {
    cloudId,
    asOf: new Date(NOW),
    days: 14,
    thresholdPercent: 1,
  })
  expect(found.held).toBe(6)
  expect(found.idle.map(nameOf)).toEqual(['always', 'idle'])
  expect(found.idle[1]).toMatchObject({
    host: 'cmp-1',
    address: ADDRESS,
    vgpu: 'mdev-idle',
    server: 'server of idle',
    flavor: 'vgpu.small',
    project: 'Alpha',
    user: 'ada',
    typeId: 'nvidia-222',
    since: new Date(NOW - 20 * DAY_MS),
    seenShare: 1,
    highestPercent: 1,
    usedMib: 900,
  })
  expect(found.unmeasured.map((one) => [nameOf(one), one.reason]).sort()).toEqual([
    ['gaps', 'gaps'],
    ['silent', 'not-lately'],
    ['unmeasured', 'not-measured'],
  ])
  const before = { cloudId, asOf: new Date(NOW - 18 * DAY_MS), days: 14, thresholdPercent: 1 }
  expect((await findIdleVgpus(query, before)).idle.map(nameOf).sort()).toEqual(['always', 'busy', 'silent'])
})

test('where measuring began too short ago it is unknown, except of what was busy or came since', async () => {
  const { cloudId } = await newCloud(
    {
      quiet: (daysAgo) => (daysAgo > 5 ? null : 0),
      busy: (daysAgo) => (daysAgo > 5 ? null : daysAgo === 2 ? 30 : 0),
      came: (daysAgo) => (daysAgo > 3 ? null : 0),
    },
    5,
  )
  const terms = { cloudId, asOf: new Date(NOW), thresholdPercent: 1 }
  const { query } = world.database()
  const found = await findIdleVgpus(query, { ...terms, days: 14 })
  expect(found).toMatchObject({ held: 3, idle: [], measuredSince: new Date(NOW - 5 * DAY_MS) })
  expect(found.unmeasured.map((one) => [nameOf(one), one.reason])).toEqual([['quiet', 'too-short']])
  const { idle, unmeasured } = await findIdleVgpus(query, { ...terms, days: 4 })
  expect([idle.map(nameOf), unmeasured]).toEqual([['quiet'], []])
})

test('the fleet has its average and the hour in which it was busiest, and a flavor its own', async () => {
  const { cloudId } = await newCloud({ one: () => 20 })
  const { query } = world.database()
  const range = { cloudId, from: new Date(NOW - 4 * DAY_MS), until: new Date(NOW) }
  expect(await sumFleetUsage(query, range)).toEqual({
    averagePercent: 25,
    peakPercent: 40,
    peakAt: new Date(NOW - 3 * DAY_MS),
    averageUsedMib: 900,
    peakUsedMib: 900,
    totalMib: 4096,
    knownShare: 1,
  })
  const later = { cloudId, from: new Date(NOW), until: new Date(NOW + DAY_MS) }
  expect(await sumFleetUsage(query, later)).toMatchObject({ averagePercent: null, knownShare: 0 })
  const groups = await query(
    `SELECT DISTINCT dimension, key FROM utilisation_roll_up WHERE cloud_id = $1 ORDER BY dimension`,
    [cloudId],
    anyRow<{ dimension: string; key: string }>(),
  )
  expect(groups).toEqual([
    { dimension: 'all', key: '' },
    { dimension: 'flavor', key: 'vgpu.small' },
    { dimension: 'project', key: 'p1' },
  ])
})

test('old hours go, of vGPUs earlier than of pGPUs, and days stay', async () => {
  const database = world.database()
  const attached = async () =>
    (
      await database.query(
        `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = 'utilisation_vgpu_hour'::regclass ORDER BY 1`,
        [],
        anyRow<{ name: string }>(),
      )
    ).map(({ name }) => name)
  // Some of the old days have a separate partition, the others are in the default one.
  await database.query('DELETE FROM utilisation_vgpu_hour')
  await makePagePartitions(database, new Date(NOW - 7 * DAY_MS))
  const { hostId } = await newCloud({ one: () => 20 })
  await makePagePartitions(database, new Date(NOW))
  expect(await attached()).toHaveLength(7)
  const since = (days: number) => new Date(NOW - days * DAY_MS)
  await dropOldPages(database, {
    minutesSince: since(3),
    fivesSince: since(14),
    vgpuHoursSince: since(5),
    hoursSince: since(10),
  })
  const daysOf = async (kind: 'pgpu' | 'vgpu', step: 'hour' | 'day') => {
    const pages = await loadPages(database.query, {
      step,
      hostIds: [hostId],
      kinds: [kind],
      from: 0,
      until: NOW,
    })
    return pages.length
  }
  expect(await attached()).toEqual([
    'utilisation_vgpu_hour_2026_11_16',
    'utilisation_vgpu_hour_2026_11_21',
    'utilisation_vgpu_hour_2026_11_22',
    'utilisation_vgpu_hour_2026_11_23',
    'utilisation_vgpu_hour_default',
  ])
  expect(await daysOf('vgpu', 'hour')).toBe(5)
  expect(await daysOf('pgpu', 'hour')).toBe(10)
  expect(await daysOf('vgpu', 'day')).toBe(2)
})

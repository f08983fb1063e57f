import { expect, test } from 'vitest'
import { DAY_MS } from '@/lib/domain/history/series'
import { anyRow } from '@/lib/server/testing/any-row'
import { addGuestChange, guestUuid } from '@/lib/services/history/testing/add-changes'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld } from '@/lib/services/testing/service-world'
import { rollUpUsage } from '@/lib/services/utilization/roll-up-groups'
import { writeUsageHours } from '@/lib/services/utilization/write-usage-hours'
import { countMeasured, loadIdle, loadUtilization } from './load-usage'

const world = createServiceWorld()

const UNTIL = Date.parse('2026-11-01T00:00:00Z')
const ADDRESS = '0000:61:00.0'

const dayAt = (max: number) => {
  const utilization = { count: 60, min: 0, average: max / 2, max }
  return new Array(24).fill({ utilization, usedMib: null, totalMib: null })
}

/** A host of which each guest holds a vGPU for months, measured on the last `days` days with these highest percents. */
const addHost = async (cloudId: number, guests: Record<string, number>, days: number): Promise<void> => {
  const database = world.database()
  const hostId = await writeHost(database, { cloudId, name: `cmp-${days}`, pgpus: [{ address: ADDRESS }] })
  for (const guest of Object.keys(guests)) {
    const uuid = guestUuid(guest)
    await database.prisma.guest.create({ data: { hostId, uuid, name: guest } })
    const held = { projectId: 'p1', projectName: 'Alpha', addresses: [ADDRESS], typeIds: ['nvidia-222'] }
    await addGuestChange(database.query, { hostId, guest, at: new Date('2026-09-01T00:00:00Z'), ...held })
  }
  const series = Object.entries(guests).map(([guest, percent]) => ({
    address: ADDRESS,
    vgpu: `mdev-${guest}`,
    guest: guestUuid(guest),
    hours: dayAt(percent),
  }))
  for (let day = UNTIL - days * DAY_MS; day < UNTIL; day += DAY_MS)
    await writeUsageHours(database.query, { hostId, day, series })
}

const FROM = Date.parse('2026-10-01T00:00:00Z')

const idleOf = (cloudId: number, measured = 1) =>
  loadIdle(
    world.database().query,
    { cloudId, from: FROM, until: UNTIL },
    { max: { projects: 4, longest: 3 }, pgpus: { measured, unmeasured: 0 } },
  )

test('idle vGPUs are no zero where measuring began too short before the end', async () => {
  const { id } = await world.newCloud()
  await addHost(id, { quiet: 0, busy: 60 }, 13)
  expect(await idleOf(id)).toEqual({
    isKnown: false,
    because: 'agents have reported utilization since 2026-10-19, and 14 days are required',
  })
})

test('they are reported from the fourteenth day on, and apart of hosts that are measured later', async () => {
  const { id } = await world.newCloud()
  await addHost(id, { quiet: 0, busy: 60 }, 14)
  expect(await idleOf(id)).toMatchObject({ isKnown: true, vgpus: 1, held: 2, untold: [] })
  await addHost(id, { new: 0 }, 5)
  expect(await idleOf(id)).toMatchObject({
    isKnown: true,
    vgpus: 1,
    held: 3,
    untold: [{ reason: 'too-short', vgpus: 1 }],
    longest: [{ server: 'quiet', project: 'Alpha', since: '2026-10-18T00:00:00.000Z', hosts: ['cmp-14'] }],
  })
})

test('where all were busy since measuring began, none is idle', async () => {
  const { id } = await world.newCloud()
  expect(await idleOf(id)).toMatchObject({ isKnown: true, vgpus: 0 })
  await addHost(id, { busy: 60 }, 3)
  expect(await idleOf(id)).toMatchObject({ isKnown: true, vgpus: 0, untold: [] })
})

/** The utilization in a review of the time until `until`, of a host with cards at these addresses. */
const usageOf = async (cloudId: number, addresses: readonly string[], until = UNTIL) => {
  const { query } = world.database()
  const [host] = await query('SELECT id FROM host WHERE cloud_id = $1', [cloudId], anyRow<{ id: number }>())
  const hostId = host?.id ?? 0
  const span = { from: FROM, until }
  const cards = addresses.map((address) => ({ hostId, address }))
  const pgpus = await countMeasured(query, { hostIds: [hostId], cards, ...span })
  return loadUtilization(query, { cloudId, ...span }, pgpus)
}

test('of how many pGPUs utilization is known is counted by the hour, with those that are not there any more', async () => {
  const { id } = await world.newCloud()
  const database = world.database()
  const [first, second, third] = [ADDRESS, '0000:62:00.0', '0000:63:00.0']
  const hostId = await writeHost(database, { cloudId: id, name: 'cmp-1', pgpus: [{ address: first }] })
  const card = (address: string, hours = dayAt(40)) => ({ address, vgpu: null, guest: null, hours })
  for (let day = FROM; day < UNTIL; day += DAY_MS)
    await writeUsageHours(database.query, { hostId, day, series: [card(first)] })
  await writeUsageHours(database.query, { hostId, day: FROM + DAY_MS, series: [card(second)], fromHour: 24 })
  const evening = new Array(24).fill(null).with(23, dayAt(10)[0])
  await writeUsageHours(database.query, {
    hostId,
    day: UNTIL - DAY_MS,
    series: [card(first), card(third, evening)],
  })
  while (!(await rollUpUsage(database, id)));
  const addresses = [first, second, third]
  expect(await usageOf(id, addresses)).toMatchObject({
    isKnown: true,
    pgpus: { measured: 2, unmeasured: 1 },
  })
  // An hour after the end must not count for the time before it.
  const hourBefore = UNTIL - DAY_MS / 24
  expect(await usageOf(id, addresses, hourBefore)).toMatchObject({ pgpus: { measured: 1, unmeasured: 2 } })
  expect(await usageOf(id, [second], hourBefore)).toMatchObject({ pgpus: { measured: 1, unmeasured: 1 } })
})

test('if pGPUs were measured and vGPUs were not, the review states this, and not that no agent reported', async () => {
  const { id } = await world.newCloud()
  await addHost(id, { one: 0, two: 0 }, 0)
  expect(await idleOf(id, 0)).toEqual({ isKnown: false, because: 'no agent reported utilization' })
  expect(await idleOf(id, 3)).toEqual({
    isKnown: false,
    because: 'agents reported utilization of pGPUs and of none of the 2 held vGPUs',
  })
})

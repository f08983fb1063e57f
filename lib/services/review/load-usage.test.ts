import { expect, test } from 'vitest'
import { DAY_MS } from '@/lib/domain/history/series'
import { addGuestChange, guestUuid } from '@/lib/services/history/testing/add-changes'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld } from '@/lib/services/testing/service-world'
import { writeUsageHours } from '@/lib/services/utilisation/write-usage-hours'
import { loadIdle } from './load-usage'

const world = createServiceWorld()

const UNTIL = Date.parse('2026-11-01T00:00:00Z')
const ADDRESS = '0000:61:00.0'

const dayAt = (max: number) => {
  const utilisation = { count: 60, min: 0, average: max / 2, max }
  return new Array(24).fill({ utilisation, usedMib: null, totalMib: null })
}

/** A host of which each guest holds a vGPU for months, measured on the last `days` days with these highest percents. */
const addHost = async (cloudId: number, guests: Record<string, number>, days: number): Promise<void> => {
  const database = world.database()
  const hostId = await writeHost(database, { cloudId, name: `cmp-${days}`, pgpus: [{ address: ADDRESS }] })
  for (const guest of Object.keys(guests)) {
    const uuid = guestUuid(guest)
    await database.prisma.guest.create({ data: { hostId, uuid, name: guest, state: 'running' } })
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

const idleOf = (cloudId: number) => loadIdle(world.database().query, { cloudId, from: 0, until: UNTIL }, 4)

test('idle vGPUs are no zero where measuring began too short before the end', async () => {
  const { id } = await world.newCloud()
  await addHost(id, { quiet: 0, busy: 60 }, 13)
  expect(await idleOf(id)).toEqual({
    isKnown: false,
    because: 'agents reported utilisation from 2026-10-19 on, and it takes 14 days to tell',
  })
})

test('they are told from the fourteenth day on, and apart of hosts that are measured later', async () => {
  const { id } = await world.newCloud()
  await addHost(id, { quiet: 0, busy: 60 }, 14)
  expect(await idleOf(id)).toMatchObject({ isKnown: true, vgpus: 1, untold: 0 })
  await addHost(id, { new: 0 }, 5)
  expect(await idleOf(id)).toMatchObject({ isKnown: true, vgpus: 1, untold: 1 })
})

test('where all were busy since measuring began, none is idle', async () => {
  const { id } = await world.newCloud()
  expect(await idleOf(id)).toMatchObject({ isKnown: true, vgpus: 0 })
  await addHost(id, { busy: 60 }, 3)
  expect(await idleOf(id)).toMatchObject({ isKnown: true, vgpus: 0, untold: 0 })
})

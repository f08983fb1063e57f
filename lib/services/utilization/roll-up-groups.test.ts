import { expect, test, vi } from 'vitest'
import { DAY_MS, HOUR_MS } from '@/lib/domain/history/series'
import { anyRow } from '@/lib/server/testing/any-row'
import { addGuestChange, addPgpuChange, guestUuid } from '@/lib/services/history/testing/add-changes'
import { rebuildAndRollUp } from '@/lib/services/roll-up/rebuild-roll-ups'
import { rollUpCloud } from '@/lib/services/roll-up/roll-up-cloud'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld } from '@/lib/services/testing/service-world'
import { rebuildPages } from './rebuild-pages'
import { rollUpUsage } from './roll-up-groups'
import { writeUsageHours } from './write-usage-hours'

const world = createServiceWorld()
vi.setConfig({ testTimeout: 60_000 })

const DAY = Date.parse('2026-11-20T00:00Z')
const at = (days: number, hour: number, minute = 0): Date =>
  new Date(DAY + days * DAY_MS + hour * HOUR_MS + minute * 60_000)
const ADDRESS = '0000:61:00.0'
const GUEST = 'guest-1'
const SINCE = new Date(DAY - 30 * DAY_MS)
const USED = { utilization: { count: 60, min: 0, average: 30, max: 70 }, usedMib: null, totalMib: null }

/** A card of one type with a guest on it, seen until `until`, and what was measured of both until the end of that hour. */
const newHistory = async (until: Date) => {
  const { query, prisma } = world.database()
  const { id: cloudId } = await world.newCloud()
  const hostId = await writeHost(world.database(), { cloudId, name: 'cmp-1', pgpus: [{ address: ADDRESS }] })
  await prisma.guest.create({ data: { hostId, uuid: guestUuid(GUEST), name: GUEST } })
  let sequence = 0
  const change = async (when: Date, { type, flavor }: { type: string; flavor: string }) => {
    sequence += 1
    const point = { typeId: type, typeName: type, model: 'NVIDIA A40', capacity: 12, used: 1, spare: 11 }
    await addPgpuChange(query, { hostId, sequence, at: when, address: ADDRESS, ...point })
    const held = { guest: GUEST, addresses: [ADDRESS], typeIds: [type], flavorName: flavor }
    await addGuestChange(query, { hostId, sequence, at: when, ...held })
  }
  await change(at(-1, 8), { type: 'nvidia-222', flavor: 'vgpu.small' })
  await query('UPDATE host SET watched_since = $2, watched_at = $3 WHERE id = $1', [hostId, at(-1, 8), until])
  for (let day = DAY - DAY_MS; day <= until.getTime(); day += DAY_MS) {
    const hours = Array.from({ length: 24 }, (_, hour) =>
      day + hour * HOUR_MS <= until.getTime() ? USED : null,
    )
    const card = { address: ADDRESS, vgpu: null, guest: null, hours }
    const vgpu = { ...card, vgpu: 'mdev-1', guest: guestUuid(GUEST) }
    await writeUsageHours(query, { hostId, day, series: [card, vgpu] })
  }
  return { cloudId, change }
}

const rollUpTo = async (cloudId: number, horizon: Date) => {
  const terms = { cloudId, horizon, hoursSince: SINCE, changesSince: SINCE }
  await rollUpCloud(world.database(), terms)
}
const rollUpMarked = async (cloudId: number) => {
  while (!(await rollUpUsage(world.database(), cloudId)));
}
const rows = (cloudId: number) =>
  world.database().query(
    `SELECT step, dimension, key, begin::text, encode(slots, 'hex') AS slots FROM utilisation_roll_up
     WHERE cloud_id = $1 ORDER BY 1, 2, 3, 4`,
    [cloudId],
    anyRow<{ step: string; dimension: string; key: string; begin: string; slots: string }>(),
  )
const marks = (cloudId: number) =>
  world.database().query('SELECT day FROM utilisation_mark WHERE cloud_id = $1', [cloudId])

/** As `npm run history:rebuild` does it. */
const rebuilt = async (cloudId: number) => {
  await rebuildAndRollUp(world.database(), { hoursSince: SINCE, changesSince: SINCE })
  await rebuildPages(world.database(), { minutesSince: SINCE, groupsSince: SINCE })
  return rows(cloudId)
}
const OTHER = { type: 'nvidia-223', flavor: 'vgpu.large' }

test('what changes in an hour that has figures already recreates them, as a rebuild does', async () => {
  const { cloudId, change } = await newHistory(at(0, 10, 20))
  await rollUpTo(cloudId, at(0, 10, 20))
  await rollUpMarked(cloudId)
  const before = await rows(cloudId)
  await change(at(0, 10, 40), OTHER)
  await rollUpTo(cloudId, at(0, 10, 50))
  await rollUpMarked(cloudId)
  const after = await rows(cloudId)
  expect(after).not.toEqual(before)
  expect(after.filter(({ key }) => key === OTHER.flavor || key === OTHER.type)).toHaveLength(4)
  expect(await rebuilt(cloudId)).toEqual(after)
})

test('a late change makes the figures of all days after it again, as a rebuild does', async () => {
  const { cloudId, change } = await newHistory(at(1, 3))
  await rollUpTo(cloudId, at(1, 4))
  await rollUpMarked(cloudId)
  await change(at(-1, 22, 10), OTHER)
  await rollUpTo(cloudId, at(1, 5))
  await rollUpMarked(cloudId)
  const after = await rows(cloudId)
  const days = after.filter(({ step, key }) => step === 'hour' && key === OTHER.flavor)
  expect(days.map(({ begin }) => begin)).toEqual(['2026-11-19', '2026-11-20', '2026-11-21'])
  expect(await rebuilt(cloudId)).toEqual(after)
})

test('hours without figures yet mark nothing', async () => {
  const { cloudId, change } = await newHistory(at(0, 10))
  await rollUpTo(cloudId, at(0, 11))
  await rollUpMarked(cloudId)
  await change(at(0, 11, 5), OTHER)
  await rollUpTo(cloudId, at(0, 11, 30))
  expect(await marks(cloudId)).toEqual([])
})

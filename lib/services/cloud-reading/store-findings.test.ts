import { expect, test, vi } from 'vitest'
import { actOnChange } from '@/lib/services/change/act-on-change'
import { createChange } from '@/lib/services/change/create-change'
import { createChangeWorld } from '@/lib/services/change/testing/change-world'
import { NOW } from '@/lib/services/testing/service-world'
import { loadChangeHolds } from './store-findings'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)
const world = createChangeWorld({
  fleetOf: (fleet) => fleet.slice(0, 1).map((host) => ({ ...host, story: { kind: 'still' as const } })),
})

test('a subject is held until OpenStack and the host have been read after the end of its change', async () => {
  const gpus = await world.taggable(1)
  const input = { cloud: world.cloud().name, kind: 'traits' as const, gpus, rule: 'CUSTOM_HELD_{type}' }
  const { id, version } = await createChange(world.ctx(), input)
  await actOnChange(world.ctx(), { id, body: { action: 'start', version } })
  const { database } = world.ctx()
  const holds = (readAt: Date, at = readAt) =>
    loadChangeHolds(database, { cloudId: world.cloud().id, at, readAt })
  expect(await holds(NOW)).toEqual(gpus)

  await world.run(id, { now: () => later(10) })
  expect(await holds(later(5), later(12))).toMatchObject(gpus)
  // OpenStack was read again, the host has not reported since.
  expect(await holds(later(15))).toMatchObject(gpus)
  await database.prisma.host.updateMany({ where: { cloudId: world.cloud().id }, data: { seenAt: later(20) } })
  expect(await holds(later(5), later(25))).toMatchObject(gpus)
  expect(await holds(later(25))).toEqual([])
})

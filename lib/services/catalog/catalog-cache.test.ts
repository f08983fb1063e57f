import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { emptySlot, type Slot } from '@/lib/domain/history/figures'
import { encodeSlots } from '@/lib/domain/history/slot-codec'
import { createFlavorWorld } from '@/lib/services/flavor/testing/flavor-world'
import { NOW } from '@/lib/services/testing/service-world'
import { projectIdOf } from '@/simulator/openstack/demo-cloud/accounts'
import { putConsumer } from '@/simulator/openstack/placement/change-allocations'
import { countCatalog } from './catalog-cache'
import { getCatalog } from './get-catalog'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const HOUR_MS = 3_600_000
const FLAVOR = 'vgpu.t4-4q'
/** T4-4Q. */
const TYPE = 'nvidia-232'

const world = createFlavorWorld()
let close: (() => Promise<void>) | null = null
beforeEach(async () => {
  close = await world.openCloud()
})
afterEach(() => close?.())

const flavor = async () => {
  await world.read()
  await countCatalog(world.ctx(), world.opened().cloud)
  const { flavors } = await getCatalog(
    world.ctx({
      kind: 'user',
      name: 'm.ferrand@Default',
      roles: ['tenant'],
      account: {
        cloud: world.opened().cloud.name,
        userId: 'u-ferrand',
        userName: 'm.ferrand',
        userDomain: 'Default',
        scope: { kind: 'project', id: projectIdOf('cfd-lab'), name: 'cfd-lab', domain: 'Default' },
        source: { kind: 'session', sessionId: 1, sessionHash: 'h1' },
      },
    }),
  )
  return flavors.find(({ name }) => name === FLAVOR)
}

const takeAll = (): void => {
  const { placement } = world.openstack().cloud
  for (const [target, provider] of [...placement.providers.values()].entries())
    if (provider.inventories.has('VGPU'))
      putConsumer(placement, {
        uuid: `aaaaaaaa-0000-4000-8000-${String(target).padStart(12, '0')}`,
        projectId: projectIdOf('bio-ml'),
        userId: 'u-other',
        type: 'INSTANCE',
        generation: 1,
        allocations: new Map([[provider.uuid, new Map([['VGPU', 4]])]]),
      })
}

const figure = (value: number) => ({ knownMs: HOUR_MS, integral: value * HOUR_MS, min: value, max: value })
const hour = (used: number): Slot => ({
  ...emptySlot({ knownMs: HOUR_MS, isHeld: false }),
  capacity: figure(16),
  used: figure(used),
})

/** Of the day before: none was free in every third hour, in the last one, too. */
const writeDay = async (): Promise<void> => {
  const { query } = world.ctx().database
  const { id } = world.opened().cloud
  const day = new Date(NOW.getTime() - 24 * HOUR_MS).toISOString().slice(0, 10)
  const slots = Array.from({ length: 24 }, (_, at) => hour(at % 3 === 2 ? 16 : 9))
  await query(
    `INSERT INTO capacity_roll_up (cloud_id, step, dimension, key, begin, slots)
     VALUES ($1, 'hour', 'type', $2, $3::date, $4)`,
    [id, TYPE, day, encodeSlots(slots)],
  )
  await query(
    `INSERT INTO roll_up (cloud_id, until) VALUES ($1, $2::date + 1)
     ON CONFLICT (cloud_id) DO UPDATE SET until = excluded.until`,
    [id, day],
  )
}

it('reports when there usually is one again only where there is none, and was none often before', async () => {
  await writeDay()
  expect(await flavor()).toMatchObject({ availability: 'free', usualWait: null })
  takeAll()
  expect(await flavor()).toMatchObject({ availability: 'none', usualWait: 'hours' })
})

it('has no estimate for a flavor on hosts of some aggregates, because the history is that of its type', async () => {
  await writeDay()
  takeAll()
  const own = world.openstack().cloud.nova.flavors.find(({ name }) => name === FLAVOR)
  if (own !== undefined) own.extraSpecs = { ...own.extraSpecs, 'aggregate_instance_extra_specs:gpu': 'true' }
  expect(await flavor()).toMatchObject({ usualWait: null })
})

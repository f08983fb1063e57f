import { expect, it } from 'vitest'
import { DEMO_CLOUD, demoFleet } from '@/simulator/demo-fleet/demo-fleet'
import { createMemoryHost } from '@/simulator/host/memory-host'
import { makePast } from '@/simulator/past/make-past'
import { lastLimits } from '@/simulator/past/past-limits'
import { createWorld } from '@/simulator/world/world'
import type { Cloud } from '../cloud'
import { startOpenStack } from '../start-openstack'

const START = new Date('2026-11-21T12:00:00Z')
const fleet = demoFleet({ seed: 3, startAt: START })
const given = lastLimits(makePast({ fleet, seed: 3, end: START }).limits)

const vgpuLimits = ({ keystone }: Cloud): Record<string, number> =>
  Object.fromEntries(
    keystone.limits
      .filter(({ resourceName }) => resourceName === 'class:VGPU')
      .map(({ projectId, resourceLimit }) => [projectId ?? '', resourceLimit]),
  )

it('are those in which the past ends, also after all is healed, and never less than what is used', async () => {
  const world = createWorld({ fleet, seed: 3, startAt: START, openHost: createMemoryHost })
  const openstack = await startOpenStack({ world, region: DEMO_CLOUD.region })
  try {
    const thought = vgpuLimits(openstack.cloud)
    expect(thought).not.toMatchObject(given)
    openstack.giveLimits(given)
    expect(vgpuLimits(openstack.cloud)).toMatchObject(given)
    // Only staff has another.
    expect(Object.keys(vgpuLimits(openstack.cloud)).length).toBe(Object.keys(given).length + 2)
    openstack.controls.heal()
    expect(vgpuLimits(openstack.cloud)).toMatchObject(given)

    const outgrown = Object.keys(given)[0] ?? ''
    openstack.giveLimits({ ...given, [outgrown]: 1 })
    expect(vgpuLimits(openstack.cloud)[outgrown]).toBe(thought[outgrown])
  } finally {
    await openstack.stop()
  }
})

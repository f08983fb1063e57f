import { createRandom } from '@/simulator/random/random'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { withApiHost } from './api-host'
import { computeRacks, renderingSpare } from './compute-racks'
import { desktopPool } from './desktop-pool'
import { desktopRacks } from './desktop-racks'
import { inferencePair } from './inference-pair'
import { oddRacks, wholeCards } from './odd-racks'
import { populate } from './populate'

export const DEMO_CLOUD = { name: 'paris-prod', region: 'RegionOne' } as const

/** Hosts in an order in which already the first few show something of everything. */
const inShowOrder = (hosts: FleetHost[]): FleetHost[] => {
  const first = [
    'cmp-r2-07',
    'cmp-r4-01',
    'cmp-r6-01',
    'cmp-r5-03',
    'cmp-r2-08',
    'cmp-r3-01',
    'cmp-r6-03',
    'cmp-r7-03',
  ]
  const rank = (host: FleetHost): number =>
    first.includes(host.spec.name) ? first.indexOf(host.spec.name) : first.length
  return [...hosts].sort((a, b) => rank(a) - rank(b))
}

const useOf = (host: FleetHost): number | null => (host.story.kind === 'still' ? null : host.story.targetUse)

/** The demo's fleet after weeks of use; fewer hosts when asked. The same seed gives the same fleet. */
export const demoFleet = (options: { seed: number; startAt: Date; hostCount?: number }): FleetHost[] => {
  const hosts = withApiHost([
    ...desktopRacks(),
    ...computeRacks(),
    ...oddRacks(),
    ...desktopPool(),
    ...inferencePair(),
    renderingSpare(),
    wholeCards(),
  ])
  const chosen = inShowOrder(hosts).slice(0, options.hostCount ?? hosts.length)
  const random = createRandom(options.seed)
  const takenNames = new Set<string>()
  let instanceNumber = 0xc00
  const nextInstanceNumber = (): number => {
    instanceNumber += random.between(1, 3)
    return instanceNumber
  }
  return chosen.map((host) => {
    const use = useOf(host)
    if (use === null) return host
    return populate(host, use, { random, takenNames, nextInstanceNumber, startAt: options.startAt })
  })
}

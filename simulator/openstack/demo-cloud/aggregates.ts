import { uuidFrom } from '@/simulator/random/uuid-from'
import type { Cloud } from '../cloud'
import type { Aggregate } from '../nova/nova-state'
import { replaceAggregates } from '../placement/change-providers'

/** `cmp-r4-01` is in rack 4. */
const RACK = /^cmp-r(\d+)-/

const racksOf = (hosts: string[], wanted: string[]): string[] =>
  hosts.filter((host) => wanted.includes(RACK.exec(host)?.[1] ?? ''))

/** Desktops and drawing, computing, and whole cards with the property of Bright's article. */
const PLANS: { name: string; racks: string[]; metadata: Record<string, string> }[] = [
  { name: 'gpu-desktop', racks: ['1', '2', '3', '4'], metadata: { gpu: 'desktop' } },
  { name: 'gpu-compute', racks: ['5', '6'], metadata: { gpu: 'compute' } },
  { name: 'gpu-odd', racks: ['7'], metadata: { gpu: 'true' } },
]

/** The demo's aggregates, mirrored to the hosts' root providers as Nova does. */
export const addDemoAggregates = (cloud: Cloud): void => {
  const hosts = cloud.nova.computes.map(({ host }) => host)
  PLANS.forEach(({ name, racks, metadata }, index) => {
    const aggregate: Aggregate = {
      id: index + 1,
      uuid: uuidFrom(`aggregate ${name}`),
      name,
      zone: null,
      hosts: racksOf(hosts, racks),
      metadata,
      createdMs: cloud.now().getTime() - 90 * 86_400_000,
    }
    cloud.nova.aggregates.push(aggregate)
    for (const compute of cloud.nova.computes) {
      const root = cloud.placement.providers.get(compute.uuid)
      if (root === undefined || !aggregate.hosts.includes(compute.host)) continue
      replaceAggregates(root, new Set([...root.aggregates, aggregate.uuid]))
    }
  })
}

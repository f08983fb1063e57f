import { createMemoryHost } from '@/simulator/host/memory-host'
import type { Cloud } from '@/simulator/openstack/cloud'
import type { ServiceName } from '@/simulator/openstack/http/api-request'
import { type OpenStackSimulator, startOpenStack } from '@/simulator/openstack/start-openstack'
import { createWorld } from '@/simulator/world/world'
import type { CloudSize } from '../sizes'
import { addAggregates } from './add-aggregates'
import { addFlavors } from './add-flavors'
import { addProjects } from './add-projects'
import { breakProviders } from './break-providers'
import { copyHost } from './copy-host'
import { type ScannedHost, scanShapes } from './scan-shapes'

export type BenchCloud = { openstack: OpenStackSimulator; hosts: ScannedHost[] }

/** On average the cards of some shapes take fewer servers than the others get. */
const FULL_HOSTS = 1.04

const fill = (cloud: Cloud, size: CloudSize): void => {
  addProjects(cloud, size.projects)
  addFlavors(cloud, { count: size.flavors, projects: size.projects })
  addAggregates(cloud, size.aggregates - cloud.nova.aggregates.length)
  breakProviders(cloud)
}

/** The simulated OpenStack on the loopback above generated hosts, and what the agent of each reports. Nothing moves yet. */
export const openCloud = async (
  size: CloudSize,
  { onRequest }: { onRequest?: (service: ServiceName, line: string) => void } = {},
): Promise<BenchCloud> => {
  const startAt = new Date()
  const shapes = await scanShapes((FULL_HOSTS * size.servers) / size.hosts, startAt)
  const hosts = Array.from({ length: size.hosts }, (_, host) => {
    const shape = shapes[host % shapes.length]
    if (shape === undefined) throw new Error('There is no host shape.')
    return copyHost(shape, { host, projects: size.projects })
  })
  const world = createWorld({
    fleet: hosts.map(({ fleet }) => fleet),
    seed: 5,
    startAt,
    openHost: createMemoryHost,
  })
  const openstack = await startOpenStack({ world, ...(onRequest === undefined ? {} : { onRequest }) })
  fill(openstack.cloud, size)
  return { openstack, hosts }
}

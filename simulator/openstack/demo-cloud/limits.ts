import { uuidFrom } from '@/simulator/random/uuid-from'
import { PROJECTS } from '@/simulator/world/projects'
import type { Cloud } from '../cloud'
import type { Limit, RegisteredLimit } from '../keystone/keystone-state'
import { projectIdOf } from './accounts'
import { serviceIdOf } from './catalog'

const VGPU = 'class:VGPU'

const compactId = (text: string): string => uuidFrom(text).replaceAll('-', '')

const DEFAULTS: Record<string, number> = {
  servers: 10,
  'class:VCPU': 40,
  'class:PCPU': 0,
  'class:MEMORY_MB': 163_840,
  'class:DISK_GB': 2000,
  [VGPU]: 0,
  server_metadata_items: 128,
  server_injected_files: 5,
  server_injected_file_content_bytes: 10_240,
  server_injected_file_path_bytes: 255,
  server_key_pairs: 100,
  server_groups: 10,
  server_group_members: 10,
}

/** What a project holds of each class now. */
const usageOf = ({ placement, nova }: Cloud, projectId: string): Map<string, number> => {
  const sums = new Map<string, number>()
  for (const consumer of placement.consumers.values()) {
    if (consumer.projectId !== projectId) continue
    for (const resources of consumer.allocations.values()) {
      for (const [name, amount] of resources) {
        const key = `class:${name}`
        sums.set(key, (sums.get(key) ?? 0) + amount)
      }
    }
  }
  const servers = [...nova.servers.values()].filter((server) => server.projectId === projectId).length
  return sums.set('servers', servers)
}

/** Most projects were given about a third more than they use; these grew into what they have. */
const SLACK: Readonly<Record<string, number>> = { 'vdi-north': 1.06, 'render-farm': 1 }

/** In round numbers. */
const roundedUp = (used: number, slack = 1.35): number => {
  const wanted = Math.max(4, used * slack)
  const step = wanted > 10_000 ? 16_384 : wanted > 100 ? 50 : 4
  return Math.ceil(wanted / step) * step
}

/** By resource name, of a project that uses so much; `given` holds as long as the project has not grown out of it. */
const limitValues = (
  usage: ReadonlyMap<string, number>,
  given: number | null,
  slack: number | undefined,
): Map<string, number> => {
  const values = new Map([...usage].map(([name, used]) => [name, roundedUp(used, slack)]))
  if (given !== null && given >= (usage.get(VGPU) ?? 0)) values.set(VGPU, given)
  return values
}

/** Whose servers are test boots. */
const STAFF = ['admin', 'service']

const staffLimit = (common: Pick<Limit, 'serviceId' | 'regionId' | 'description'>, name: string): Limit => ({
  id: compactId(`limit ${name} ${VGPU}`),
  ...common,
  projectId: projectIdOf(name),
  domainId: null,
  resourceName: VGPU,
  resourceLimit: 4,
})

/** Limits on class VGPU that projects were given, by their ids. */
export type GivenLimits = Readonly<Record<string, number>>

/**
 * Limits as they should be: a registered limit with Nova's region for every class that flavors use, and limits of the
 * projects above what they use: those that they were given, else thought of.
 */
export const addDemoLimits = (cloud: Cloud, given: GivenLimits = {}): void => {
  const serviceId = serviceIdOf('compute')
  const common = { serviceId, regionId: cloud.region, description: null }
  const classes = [...cloud.placement.customClasses].map((name) => `class:${name}`)
  const defaults = { ...DEFAULTS, ...Object.fromEntries(classes.map((name) => [name, 0])) }
  cloud.keystone.registeredLimits = Object.entries(defaults).map(
    ([resourceName, defaultLimit]): RegisteredLimit => ({
      id: compactId(`registered limit ${resourceName}`),
      ...common,
      resourceName,
      defaultLimit,
    }),
  )
  cloud.keystone.limits = Object.values(PROJECTS).flatMap((project) =>
    [...limitValues(usageOf(cloud, project.id), given[project.id] ?? null, SLACK[project.name])]
      .filter(([resourceName]) => resourceName in defaults)
      .map(
        ([resourceName, resourceLimit]): Limit => ({
          id: compactId(`limit ${project.name} ${resourceName}`),
          ...common,
          projectId: project.id,
          domainId: null,
          resourceName,
          resourceLimit,
          description: null,
        }),
      ),
  )
  cloud.keystone.limits.push(...STAFF.map((name) => staffLimit(common, name)))
}

import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { effectiveLimit, type OwnLimits } from '@/lib/domain/limits/effective-limit'
import type { LimitView } from '@/lib/domain/limits/limit-view'
import { usedOfName } from '@/lib/domain/limits/next-server'
import { type MovingUse, movingUse, type ProjectUse } from '@/lib/domain/limits/quota-table'
import { naturalOrder } from '@/lib/util/natural-order'
import type { FlavorOffer } from './flavor-offer'
import type { OwnServer } from './own-servers'
import { gpuClassesOf } from './project-flavors'

type GpuKind = 'vgpu' | 'passthrough'

/** A limit of a project with its use. Null in `limit`: no limit; in `used`: it could not be read. */
type ProjectQuota = {
  /** `class:VGPU`. */
  resourceName: string
  kind: GpuKind | 'vcpu' | 'memory'
  limit: number | null
  used: number | null
}

/** Why Placement's count of a GPU class differs from the number of servers. */
type GpuCount = {
  /** Servers of the project that hold some of the class, */
  servers: number
  /** and how much they hold. */
  held: number
  /** What moves of servers hold in addition, until they are confirmed. */
  moving: MovingUse
}

type Inputs = {
  view: LimitView
  own: OwnLimits
  projectId: string
  use: ProjectUse
  offers: readonly { flavor: Flavor; offer: FlavorOffer }[]
  servers: readonly OwnServer[]
}

const isPassthrough = ({ cards }: FlavorOffer): boolean =>
  cards.length > 0 && cards.every(({ typeName }) => typeName === null)

/**
 * Resource classes of GPUs that flavors of a project request, `VGPU` and others of vGPUs first. A class whose flavors give vGPUs as well as
 * whole cards is one of vGPUs.
 */
export const gpuKinds = (fleet: Fleet, offers: Inputs['offers']): [name: string, kind: GpuKind][] => {
  const kinds = new Map<string, GpuKind>()
  for (const { flavor, offer } of offers)
    for (const name of gpuClassesOf(fleet, flavor))
      if (kinds.get(name) !== 'vgpu') kinds.set(name, isPassthrough(offer) ? 'passthrough' : 'vgpu')
  const ofKind = (kind: GpuKind): [string, GpuKind][] =>
    [...kinds]
      .filter((entry) => entry[1] === kind)
      .toSorted(([a], [b]) => Number(b === 'VGPU') - Number(a === 'VGPU') || naturalOrder(a, b))
  return [...ofKind('vgpu'), ...ofKind('passthrough')]
}

const PLAIN: [name: string, kind: ProjectQuota['kind']][] = [
  ['VCPU', 'vcpu'],
  ['MEMORY_MB', 'memory'],
]

const countOf = (fleet: Fleet, { servers, projectId }: Inputs, name: string): GpuCount => {
  const amounts = servers.map(({ uuid }) =>
    (fleet.allocationsByConsumer.get(uuid) ?? []).reduce(
      (sum, { resources }) => sum + (resources[name] ?? 0),
      0,
    ),
  )
  return {
    servers: amounts.filter((amount) => amount > 0).length,
    held: amounts.reduce((sum, amount) => sum + amount, 0),
    moving: movingUse(fleet).get(projectId)?.get(name) ?? { amount: 0, servers: [] },
  }
}

/**
 * The limits of a project on GPUs, CPU and memory with their use, those of vGPUs first, then those of passthrough GPUs. A limit
 * that is unknown is left out. `count`: of GPUs alone.
 */
export const projectQuotas = (
  fleet: Fleet,
  inputs: Inputs,
): (ProjectQuota & { count: GpuCount | null })[] => {
  const { view, own, projectId, use } = inputs
  const gpus = gpuKinds(fleet, inputs.offers)
  return [...gpus, ...PLAIN].flatMap(([name, kind]) => {
    const resourceName = `class:${name}`
    const limit = effectiveLimit(fleet, view, { own, projectId, resourceName })
    if (limit.kind === 'unknown') return []
    return [
      {
        resourceName,
        kind,
        limit: limit.kind === 'unlimited' ? null : limit.value,
        used: use.usages === null ? null : usedOfName(fleet, use, { resourceName, deltas: new Map() }),
        count: kind === 'vcpu' || kind === 'memory' ? null : countOf(fleet, inputs, name),
      },
    ]
  })
}

/** Whether servers of a flavor get PCI devices that Placement does not count, so that no quota can limit them. */
const isUncounted = (fleet: Fleet, { flavor, offer }: Inputs['offers'][number]): boolean =>
  readFlavorRequest(flavor).aliases.length > 0 &&
  isPassthrough(offer) &&
  gpuClassesOf(fleet, flavor).length === 0

/**
 * Passthrough GPUs that servers of a project have and no quota counts. Null: no flavor of the project gives such. `used` null: of a
 * server it is unknown.
 */
export const uncountedGpus = (
  fleet: Fleet,
  { offers, servers }: Pick<Inputs, 'offers' | 'servers'>,
): { used: number | null } | null => {
  const flavors = new Set(offers.filter((one) => isUncounted(fleet, one)).map(({ flavor }) => flavor.name))
  if (flavors.size === 0) return null
  const gpus = servers
    .filter(({ flavorName }) => flavorName !== null && flavors.has(flavorName))
    .map((server) => server.gpus)
  return {
    used: gpus.reduce<number | null>(
      (sum, held) =>
        sum === null || held === null ? null : sum + held.reduce((all, { count }) => all + count, 0),
      0,
    ),
  }
}

import { expectedParents } from '@/lib/domain/cloud/expected-providers'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { FitQuestion } from './explain-fit'
import type { FlavorRequest } from './flavor-request'
import { slotNeeds } from './host-problem'

const keyOf = (host: string, address: string): string => `${host} ${address}`

/** The providers that carry a type by nova.conf, and the resource class of most of them. */
const carriersOf = (
  fleet: Fleet,
  typeId: string,
): { classes: Map<string, string>; resourceClass: string } => {
  const classes = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const joined of fleet.hosts)
    for (const { pgpu } of joined.pgpus)
      for (const parent of expectedParents(joined, pgpu.address) ?? [])
        if (parent.typeId === typeId && parent.isSupported) {
          classes.set(keyOf(joined.host.name, parent.address), parent.resourceClass)
          counts.set(parent.resourceClass, (counts.get(parent.resourceClass) ?? 0) + 1)
        }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  return { classes, resourceClass: most?.[0] ?? 'VGPU' }
}

/**
 * Of one vGPU of a type, whatever flavor brings it: no CPU, memory or traits are asked for. Where hosts give the type different
 * resource classes, the most frequent is asked for.
 */
export const typeQuestion = (fleet: Fleet, typeId: string): FitQuestion => {
  const { classes, resourceClass } = carriersOf(fleet, typeId)
  const request: FlavorRequest = {
    groups: [{ suffix: '', resources: { [resourceClass]: 1 }, required: [], forbidden: [] }],
    groupPolicy: null,
    aliases: [],
    ignored: [],
  }
  return {
    request,
    needs: slotNeeds(request),
    extraSpecs: {},
    availabilityZone: null,
    filter: (joined, { address }) => joined !== null && classes.has(keyOf(joined.host.name, address)),
  }
}

/** Of these providers those that carry what is asked for, with the root of each. */
export const offeredCarriers = (
  fleet: Fleet,
  { filter }: FitQuestion,
  offered: ReadonlySet<string>,
): Map<string, string> =>
  new Map(
    fleet.hosts.flatMap((joined) =>
      joined.pgpus
        .flatMap(({ providers }) => providers)
        .filter((entry) => offered.has(entry.provider.uuid) && filter(joined, entry))
        .map(({ provider }): [string, string] => [provider.uuid, provider.rootUuid]),
    ),
  )

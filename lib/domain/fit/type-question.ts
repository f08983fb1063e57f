import { expectedParents } from '@/lib/domain/cloud/expected-providers'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { FitQuestion } from './explain-fit'
import type { FlavorRequest } from './flavor-request'
import { slotNeeds } from './host-problem'

const keyOf = (host: string, address: string): string => `${host} ${address}`

/** The providers that carry a type by nova.conf, by the resource class that it has there; the most frequent class first. */
const carriersOf = (fleet: Fleet, typeId: string): [resourceClass: string, keys: ReadonlySet<string>][] => {
  const classes = new Map<string, Set<string>>()
  for (const joined of fleet.hosts)
    for (const { pgpu } of joined.pgpus)
      for (const parent of expectedParents(joined, pgpu.address) ?? [])
        if (parent.typeId === typeId && parent.isSupported) {
          const keys = classes.get(parent.resourceClass) ?? new Set()
          classes.set(parent.resourceClass, keys.add(keyOf(joined.host.name, parent.address)))
        }
  return [...classes].toSorted(([, a], [, b]) => b.size - a.size)
}

const questionOf = (resourceClass: string, keys: ReadonlySet<string>): FitQuestion => {
  const request: FlavorRequest = {
    groups: [{ suffix: '', resources: { [resourceClass]: 1 }, required: [], forbidden: [] }],
    groupPolicy: null,
    aliases: [],
    ignored: [],
  }
  return {
    request,
    needs: slotNeeds(request),
    flavor: null,
    availabilityZone: null,
    filter: (joined, { address }) => joined !== null && keys.has(keyOf(joined.host.name, address)),
  }
}

/**
 * A request for one vGPU of a type, without CPU, memory or traits, because any flavor may bring it. One question for each
 * resource class that nova.conf gives the type on some host, the most frequent first; a host gives it one (`[mdev_<type>]
 * mdev_class`).
 */
export const typeQuestions = (fleet: Fleet, typeId: string): [FitQuestion, ...FitQuestion[]] => {
  const [[first, keys] = ['VGPU', new Set<string>()], ...others] = carriersOf(fleet, typeId)
  return [questionOf(first, keys), ...others.map(([name, held]) => questionOf(name, held))]
}

/** The providers among these that have the requested class, with the root of each. */
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

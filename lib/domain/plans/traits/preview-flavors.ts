import type { Fleet, GpuProvider, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { type FlavorRequest, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { gpuAmountsIn } from '@/lib/domain/fit/gpu-classes'
import { prepareFlavors } from '@/lib/domain/fit/prepare-hosts'
import { servedBy } from '@/lib/domain/fit/served-by'
import type { FlavorMatches } from '../step'

/** By provider uuid. */
export type TraitsAfter = ReadonlyMap<string, readonly string[]>

const withTraits = (entry: GpuProvider, after: TraitsAfter): GpuProvider => {
  const traits = after.get(entry.provider.uuid)
  return traits === undefined ? entry : { ...entry, provider: { ...entry.provider, traits } }
}

const matches = (request: FlavorRequest, joined: JoinedHost, providers: readonly GpuProvider[]): boolean =>
  providers.some((entry) => servedBy(request, entry, joined.root.value) !== null)

/**
 * Flavors that match more or fewer pGPUs once providers have other traits, and which pGPUs. Counts pGPUs of the whole cloud
 * of which some provider serves a group of the request, amounts in use aside. A step per flavor.
 */
export function* previewFlavors(fleet: Fleet, after: TraitsAfter): Generator<void, FlavorMatches[]> {
  yield* prepareFlavors(fleet)
  const touched = fleet.hosts.flatMap((joined) =>
    joined.pgpus
      .filter(({ providers }) => providers.some(({ provider }) => after.has(provider.uuid)))
      .map(({ pgpu, providers }) => ({
        joined,
        target: { host: joined.host.name, address: pgpu.address },
        now: providers,
        later: providers.map((entry) => withTraits(entry, after)),
      })),
  )
  const matching: FlavorMatches[] = []
  for (const flavor of fleet.input.facts.flavors.value ?? []) {
    const request = readFlavorRequest(flavor)
    if (flavor.isDisabled || gpuAmountsIn(fleet, request).size === 0) continue
    yield
    const moves = touched.map(({ joined, target, now, later }) => ({
      target,
      before: matches(request, joined, now),
      after: matches(request, joined, later),
    }))
    const gains = moves.filter((move) => move.after && !move.before).map(({ target }) => target)
    const loses = moves.filter((move) => move.before && !move.after).map(({ target }) => target)
    if (gains.length + loses.length === 0) continue
    const before = fleet.hosts
      .flatMap((joined) => joined.pgpus.map(({ providers }) => matches(request, joined, providers)))
      .filter(Boolean).length
    const sum = before + gains.length - loses.length
    matching.push({ flavorId: flavor.id, name: flavor.name, before, after: sum, gains, loses })
  }
  return matching.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const movedTraits = (fleet: Fleet, after: TraitsAfter): ReadonlySet<string> =>
  new Set(
    fleet.hosts
      .flatMap(({ pgpus }) => pgpus.flatMap(({ providers }) => providers))
      .flatMap(({ provider: { uuid, traits } }) => {
        const [now, later] = [traits ?? [], after.get(uuid) ?? traits ?? []]
        return [...now, ...later].filter((trait) => now.includes(trait) !== later.includes(trait))
      }),
  )

/** A flavor's request but for the traits that move: of those Placement does not know yet who will carry them. */
export const requestWithoutTraits = (fleet: Fleet, flavor: Flavor, after: TraitsAfter): FlavorRequest => {
  const moved = movedTraits(fleet, after)
  const stay = (traits: readonly string[]) => traits.filter((trait) => !moved.has(trait))
  const request = readFlavorRequest(flavor)
  return {
    ...request,
    groups: request.groups.map((group) => ({
      ...group,
      required: stay(group.required),
      forbidden: stay(group.forbidden),
    })),
  }
}

/** pGPUs that a flavor matches afterwards, of those whose providers Placement offers for the rest of its request. */
export const countOffered = (
  fleet: Fleet,
  { flavor, after, offered }: { flavor: Flavor; after: TraitsAfter; offered: ReadonlySet<string> },
): number => {
  const request = readFlavorRequest(flavor)
  return fleet.hosts.flatMap((joined) =>
    joined.pgpus.filter(({ providers }) =>
      matches(
        request,
        joined,
        providers
          .filter(({ provider }) => offered.has(provider.uuid))
          .map((entry) => withTraits(entry, after)),
      ),
    ),
  ).length
}

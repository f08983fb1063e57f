import type { Fleet, GpuProvider, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { gpuAmounts, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { reachOf } from '@/lib/domain/fit/reach'
import type { FlavorReach } from './types'

type TraitsAfter = ReadonlyMap<string, readonly string[]>

const withTraits = (entry: GpuProvider, after: TraitsAfter): GpuProvider => {
  const traits = after.get(entry.provider.uuid)
  return traits === undefined ? entry : { ...entry, provider: { ...entry.provider, traits } }
}

/**
 * Flavors that match more or fewer pGPUs once providers have other traits (`after`, by provider uuid). Counts pGPUs of the
 * whole cloud of which some provider serves a group of the request, amounts in use aside.
 */
export const previewFlavors = (fleet: Fleet, after: TraitsAfter): FlavorReach[] => {
  const touched = fleet.hosts.flatMap((joined) =>
    joined.pgpus
      .filter(({ providers }) => providers.some(({ provider }) => after.has(provider.uuid)))
      .map(({ providers }) => ({ joined, providers })),
  )
  return (fleet.input.facts.flavors.value ?? [])
    .filter((flavor) => !flavor.isDisabled)
    .flatMap((flavor): FlavorReach[] => {
      const request = readFlavorRequest(flavor)
      if (gpuAmounts(request).size === 0) return []
      const matches = (joined: JoinedHost, providers: readonly GpuProvider[]) =>
        providers.some((entry) => reachOf(request, entry, joined.root.value) !== null)
      const pairs = touched.map(({ joined, providers }) => ({
        before: matches(joined, providers),
        after: matches(
          joined,
          providers.map((entry) => withTraits(entry, after)),
        ),
      }))
      if (pairs.every((pair) => pair.before === pair.after)) return []
      const before = fleet.hosts
        .flatMap((joined) => joined.pgpus.map(({ providers }) => matches(joined, providers)))
        .filter(Boolean).length
      const change = pairs.filter((pair) => pair.after).length - pairs.filter((pair) => pair.before).length
      return [{ flavorId: flavor.id, name: flavor.name, before, after: before + change }]
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

import { expectedParents } from '@/lib/domain/cloud/expected-providers'
import type { GpuProvider, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { typeNamedBy } from '@/lib/domain/cloud/type-traits'
import type { Flavor } from '@/lib/domain/cloud/types'
import { type FlavorRequest, readFlavorRequest } from './flavor-request'

/** A provider without traits that name its type, which a flavor requires. */
export type LackingTraits = {
  flavorName: string
  provider: GpuProvider['provider']
  traits: readonly string[]
}

/** The required traits that a provider lacks in the group that could be served by it; empty: no group, or more than traits is missing. */
const lackingIn = (
  request: FlavorRequest,
  { provider }: GpuProvider,
  rootTraits: readonly string[],
): readonly string[] => {
  const own = provider.traits ?? []
  for (const { suffix, resources, required, forbidden } of request.groups) {
    const isServed = Object.keys(resources).some((name) => provider.inventories?.[name] !== undefined)
    const traits = new Set(suffix === '' ? [...own, ...rootTraits] : own)
    if (isServed && !forbidden.some((trait) => traits.has(trait)))
      return required.filter((trait) => !traits.has(trait))
  }
  return []
}

/** Providers of a pGPU that only traits keep from the first such flavor, where these traits name the type of the provider. */
export const lackingTraits = (
  joined: JoinedHost,
  { pgpu, providers }: JoinedPgpu,
  flavors: readonly Flavor[],
): LackingTraits[] => {
  const types = new Map(
    (expectedParents(joined, pgpu.address) ?? []).map(({ address, typeId }) => [address, typeId]),
  )
  const rootTraits = joined.root.value?.traits ?? []
  const isOfType = (trait: string, { address }: GpuProvider): boolean => {
    const named = typeNamedBy(pgpu.supportedTypes ?? [], trait)
    return named !== null && named.typeId === types.get(address)
  }
  for (const flavor of flavors) {
    if (flavor.isDisabled) continue
    const request = readFlavorRequest(flavor)
    const found = providers
      .filter(({ kind, provider }) => kind === 'mdev' && provider.traits !== null)
      .map((entry) => ({ entry, traits: lackingIn(request, entry, rootTraits) }))
      .filter(({ entry, traits }) => traits.length > 0 && traits.every((trait) => isOfType(trait, entry)))
      .map(({ entry, traits }) => ({ flavorName: flavor.name, provider: entry.provider, traits }))
    if (found.length > 0) return found
  }
  return []
}

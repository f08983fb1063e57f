import type { GpuProvider } from '@/lib/domain/cloud/fleet-types'
import { groupBy } from '@/lib/domain/cloud/match-host'
import type { Flavor, ResourceProvider } from '@/lib/domain/cloud/types'
import { oncePer } from '@/lib/util/once-per'
import { type FlavorRequest, readFlavorRequest } from './flavor-request'
import { servedBy } from './served-by'

/** A request that some provider can serve, with the amount that a server takes of it. */
export type ReachingRequest = { request: FlavorRequest; amount: number }

/** The distinct requests of enabled flavors. */
const enabledRequests = oncePer((flavors: readonly Flavor[]): readonly FlavorRequest[] => {
  const requests = new Map<string, FlavorRequest>()
  for (const flavor of flavors) {
    if (flavor.isDisabled) continue
    const request = readFlavorRequest(flavor)
    const { groups, aliases } = request
    const text = JSON.stringify([groups, aliases])
    if (!requests.has(text)) requests.set(text, request)
  }
  return [...requests.values()]
})

type AliasRequests = Pick<FlavorRequest, 'aliases'> & { requests: readonly FlavorRequest[] }

/** The distinct requests of enabled flavors for devices by alias, grouped by their aliases: many flavors ask for the same few. */
export const requestsByAliases = oncePer((flavors: readonly Flavor[]): readonly AliasRequests[] => {
  const groups = groupBy(enabledRequests(flavors), ({ aliases }) => JSON.stringify(aliases))
  return [...groups.values()].flatMap((requests) => {
    const [{ aliases } = { aliases: [] }] = requests
    return aliases.length === 0 ? [] : [{ aliases, requests }]
  })
})

/** Equal for providers that the same requests reach, amounts in use aside. */
const matchText = oncePer(({ traits, inventories }: ResourceProvider): string =>
  JSON.stringify([traits, Object.entries(inventories ?? {}).map(([name, { maxUnit }]) => [name, maxUnit])]),
)

const traitsOf = oncePer(({ traits }: ResourceProvider): string => JSON.stringify(traits))

const remembered = oncePer((_: readonly Flavor[]) => new Map<string, readonly ReachingRequest[]>())

/** The requests of enabled flavors that reach some of these providers, by the first of them. Computed once for equal providers. */
export const reachingRequests = (
  flavors: readonly Flavor[],
  providers: readonly GpuProvider[],
  root: ResourceProvider | null,
): readonly ReachingRequest[] => {
  const distinct = new Map<string, GpuProvider>()
  for (const entry of providers)
    if (!distinct.has(matchText(entry.provider))) distinct.set(matchText(entry.provider), entry)
  const text = [root === null ? '' : traitsOf(root), ...distinct.keys()].join()
  const held = remembered(flavors).get(text)
  if (held !== undefined) return held
  const reaching = enabledRequests(flavors).flatMap((request): ReachingRequest[] => {
    const match = [...distinct.values()]
      .map((entry) => servedBy(request, entry, root))
      .find((found) => found !== null)
    return match === undefined ? [] : [{ request, amount: match.amount }]
  })
  remembered(flavors).set(text, reaching)
  return reaching
}

import { expectedParents } from '@/lib/domain/cloud/expected-providers'
import type { GpuProvider, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { typeNamedBy } from '@/lib/domain/cloud/type-traits'
import type { ResourceProvider } from '@/lib/domain/cloud/types'
import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'
import { oncePer } from '@/lib/util/once-per'
import type { FlavorRequest } from './flavor-request'
import { servedBy } from './served-by'

/** A vGPU type on providers that look alike to Placement, with one host that has such. */
type Carrier = {
  typeId: string
  name: string
  framebufferMib: number | null
  heads: number | null
  maxResolution: string | null
  /** vGPUs of the type that one whole card holds. */
  maxInstance: number | null
  /** Of the card. */
  model: string
  host: string
  /** Traits of the provider that name another type of the card: those of the type that it had before. */
  otherTypeTraits: readonly string[]
  provider: GpuProvider
  root: ResourceProvider | null
}

const looksOf = ({ provider }: GpuProvider, root: ResourceProvider | null): string =>
  JSON.stringify([
    provider.traits,
    root?.traits ?? null,
    Object.entries(provider.inventories ?? {}).map(([name, { maxUnit }]) => [name, maxUnit]),
  ])

const driverText = (typeId: string, type: TypeFacts | undefined) => {
  const { shortName: name = typeId, framebufferMib = null, heads = null } = type ?? {}
  const { maxResolution = null, maxInstance = null } = type ?? {}
  return { typeId, name, framebufferMib, heads, maxResolution, maxInstance }
}

/** Per host: the traits of its root are part of the looks, and they differ little. */
export const carriersOfHost = oncePer((joined: JoinedHost): ReadonlyMap<string, Carrier> => {
  const carriers = new Map<string, Carrier>()
  if (joined.host.isSilent) return carriers
  const root = joined.root.value
  const at = { host: joined.host.name, root }
  for (const { pgpu, providers } of joined.pgpus) {
    const types = new Map(
      (expectedParents(joined, pgpu.address) ?? [])
        .filter((parent) => parent.isSupported)
        .map((parent) => [parent.address, parent.typeId]),
    )
    for (const provider of providers) {
      const typeId = types.get(provider.address)
      if (typeId === undefined) continue
      const key = `${typeId} ${looksOf(provider, root)}`
      if (carriers.has(key)) continue
      const supported = pgpu.supportedTypes ?? []
      const type = supported.find((entry) => entry.typeId === typeId)
      const otherTypeTraits = (provider.provider.traits ?? []).filter((trait) => {
        const named = typeNamedBy(supported, trait)
        return named !== null && named.typeId !== typeId
      })
      carriers.set(key, {
        ...driverText(typeId, type),
        ...at,
        model: pgpu.model,
        otherTypeTraits,
        provider,
      })
    }
  }
  return carriers
})

type Hosts = readonly JoinedHost[]

/** Every flavor needs them in a round. */
const carriersOf = oncePer((hosts: Hosts): readonly Carrier[] => {
  const carriers = new Map<string, Carrier>()
  for (const joined of hosts)
    for (const [key, carrier] of carriersOfHost(joined)) if (!carriers.has(key)) carriers.set(key, carrier)
  return [...carriers.values()]
})

/** A type that servers of a flavor can get: as its driver words it, with one card and host that give it. */
export type ReachedType = Omit<Carrier, 'provider' | 'root' | 'otherTypeTraits'>

const reachedOf = (carriers: readonly Carrier[], request: FlavorRequest): ReachedType[] => {
  const reached = new Map<string, ReachedType>()
  for (const { provider, root, otherTypeTraits, ...type } of carriers)
    if (!reached.has(type.name) && servedBy(request, provider, root) !== null) reached.set(type.name, type)
  return [...reached.values()]
}

/**
 * The vGPU types whose providers a request can be served by, amounts in use aside, each under its name once. Hosts that are
 * silent do not count.
 */
export const reachedTypes = ({ hosts }: { hosts: Hosts }, request: FlavorRequest): ReachedType[] =>
  reachedOf(carriersOf(hosts), request)

/**
 * The same without providers that have a required trait of another type, such as that of orphaned mdevs: the request requires the
 * trait of its type, and the provider has the wrong one.
 */
export const typesByOwnTraits = ({ hosts }: { hosts: Hosts }, request: FlavorRequest): ReachedType[] => {
  const required = new Set(request.groups.flatMap((group) => group.required))
  return reachedOf(
    carriersOf(hosts).filter(({ otherTypeTraits }) => !otherTypeTraits.some((trait) => required.has(trait))),
    request,
  )
}

import type { SupportedType } from '@/lib/domain/pgpu/types'
import { expectedParents } from './expected-providers'
import type { GpuProvider, JoinedHost, JoinedPgpu } from './fleet-types'
import { traitOfType, traitsNaming } from './type-traits'

/** A provider with the type that nova.conf gives its device. */
export type Taggable = { entry: GpuProvider; type: SupportedType }

type DeviceTypes =
  | { types: ReadonlyMap<string, SupportedType>; reason: null }
  | { types: null; reason: string }

/** The vGPU type of each device of a pGPU, by address, as nova.conf gives it and the driver offers it; or why not known. */
export const deviceTypes = (joined: JoinedHost, { pgpu }: JoinedPgpu): DeviceTypes => {
  const not = (reason: string): DeviceTypes => ({ types: null, reason })
  if (joined.host.isSilent)
    return not(
      `the agent of ${joined.host.name} has been silent since ${joined.host.seenAt}, so its type may be outdated`,
    )
  const parents = expectedParents(joined, pgpu.address)
  if (parents === null) return not('nova.conf or the mdevs of the host could not be read')
  if (parents.length === 0) return not('nova.conf assigns no vGPU type to the card')
  const pairs = parents.flatMap(({ address, typeId, isSupported }) => {
    const type = pgpu.supportedTypes?.find((entry) => entry.typeId === typeId)
    return type === undefined || !isSupported ? [] : [[address, type] as const]
  })
  return pairs.length === 0
    ? not('its driver does not offer the type that nova.conf assigns')
    : { types: new Map(pairs), reason: null }
}

type ReadTaggables = { taggables: readonly Taggable[]; reason: null } | { taggables: null; reason: string }

const refuse = (reason: string): ReadTaggables => ({ taggables: null, reason })

/** Providers of a pGPU that a trait can be put on, with their types; or why there are none. */
export const readTaggables = (joined: JoinedHost, entry: JoinedPgpu): ReadTaggables => {
  const { providers } = entry
  if (joined.root.value === null) return refuse(joined.root.because)
  if (providers.some(({ kind }) => kind === 'pci'))
    return refuse(
      'nova-compute manages the traits of PCI devices in Placement: set them as "traits" in [pci] device_spec, as shown in the line for nova.conf',
    )
  const { types, reason } = deviceTypes(joined, entry)
  if (types === null) return refuse(reason)
  const taggables = providers.flatMap((provider): Taggable[] => {
    const type = types.get(provider.address)
    return type === undefined ? [] : [{ entry: provider, type }]
  })
  if (taggables.length === 0) return refuse('Placement has no resource provider for it')
  const unread = taggables.find(({ entry: { provider } }) => provider.traits === null)
  return unread === undefined
    ? { taggables, reason: null }
    : refuse(`the traits of ${unread.entry.provider.name} have not been read yet`)
}

/** Traits that name another type of the same card: by the naming rule, and by the names that findings know. */
export const otherTypeTraits = (
  { pgpu }: JoinedPgpu,
  { rule, type }: { rule: string; type: SupportedType },
): string[] => {
  const own = new Set([...traitsNaming(type), traitOfType(rule, { type, vendorId: pgpu.vendorId })])
  const others = (pgpu.supportedTypes ?? [])
    .filter(({ typeId }) => typeId !== type.typeId)
    .flatMap((other) => [...traitsNaming(other), traitOfType(rule, { type: other, vendorId: pgpu.vendorId })])
  return [...new Set(others)].filter((trait) => !own.has(trait)).toSorted()
}

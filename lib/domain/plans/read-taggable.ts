import { expectedParents } from '@/lib/domain/cloud/expected-providers'
import type { GpuProvider, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { traitOfType, traitsNaming } from '@/lib/domain/cloud/type-traits'
import type { SupportedType } from '@/lib/domain/pgpu/types'

/** A provider with the type that nova.conf gives its device. */
export type Taggable = { entry: GpuProvider; type: SupportedType }

type ReadTaggables = { taggables: readonly Taggable[]; reason: null } | { taggables: null; reason: string }

const refuse = (reason: string): ReadTaggables => ({ taggables: null, reason })

/** Providers of a pGPU that a trait can be put on, with their types; or why there are none. */
export const readTaggables = (joined: JoinedHost, { pgpu, providers }: JoinedPgpu): ReadTaggables => {
  if (joined.host.isSilent)
    return refuse(`the agent of ${joined.host.name} is silent since ${joined.host.seenAt}, so its type may be old`)
  if (joined.root.value === null) return refuse(joined.root.because)
  if (providers.some(({ kind }) => kind === 'pci'))
    return refuse(
      'nova-compute writes the traits of PCI devices in Placement itself: put them into [pci] device_spec as "traits"',
    )
  const parents = expectedParents(joined, pgpu.address)
  if (parents === null) return refuse('nova.conf or the mdevs of the host could not be read')
  if (parents.length === 0) return refuse('nova.conf gives it no vGPU type')
  if (providers.length === 0) return refuse('Placement has no resource provider for it')
  const unread = providers.find(({ provider }) => provider.traits === null)
  if (unread !== undefined) return refuse(`the traits of ${unread.provider.name} have not been read yet`)
  const taggables = providers.flatMap((entry): Taggable[] => {
    const parent = parents.find(({ address }) => address === entry.address)
    const type = pgpu.supportedTypes?.find(({ typeId }) => typeId === parent?.typeId)
    return type === undefined || parent?.isSupported !== true ? [] : [{ entry, type }]
  })
  return taggables.length === 0
    ? refuse('its driver does not offer the type that nova.conf gives it')
    : { taggables, reason: null }
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

import type { JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import {
  classOfEntry,
  isOwnEntry,
  PCI_DROP_IN,
  type PciEntry,
  type PciLayout,
  pciFunctionsOf,
} from '@/lib/domain/cloud/pci-layout'
import { traitNamedAlike, traitOfType } from '@/lib/domain/cloud/type-traits'
import { matchesRawEntry } from '@/lib/domain/nova-config/device-spec'
import { vfIds } from '@/lib/domain/nova-config/listed-functions'
import { rangeHas } from '@/lib/domain/nova-config/nova-releases'
import type { SupportedType } from '@/lib/domain/pgpu/types'
import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'

/** What one pGPU is to offer for passthrough. */
type PciInput = {
  entry: JoinedPgpu
  from: TypeFacts | null
  to: SupportedType
  /** VFs that carry the type. */
  given: readonly string[]
  /** Null: the entries name none, and none is wanted. */
  resourceClass: string | null
}

/** Entries that cover functions of this pGPU alone, and those that cover others too. */
const splitEntries = (joined: JoinedHost, { specs }: PciLayout, entry: JoinedPgpu) => {
  const inside = pciFunctionsOf(entry)
  const outside = joined.pgpus.filter((other) => other !== entry).flatMap(pciFunctionsOf)
  const touching = specs.filter((spec) => inside.some((device) => matchesRawEntry(spec.entry, device)))
  const isShared = (spec: PciEntry) => outside.some((device) => matchesRawEntry(spec.entry, device))
  return { own: touching.filter((spec) => !isShared(spec)), shared: touching.filter(isShared) }
}

/**
 * The class that the VFs of a pGPU get: the requested one, or one named like that of the old type; null: their entries
 * name none.
 */
export const classAfter = (
  joined: JoinedHost,
  layout: PciLayout,
  { entry, to, wished }: { entry: JoinedPgpu; to: SupportedType; wished: string | null },
): string | null => {
  const { own, shared } = splitEntries(joined, layout, entry)
  const old = [...own, ...shared].map(classOfEntry).find((name) => name !== null) ?? null
  if (wished !== null) return wished
  if (old === null && !layout.isInPlacement) return null
  const from = entry.pgpu.currentType
  const alike = old === null || from === null ? null : traitNamedAlike(old, { from, to })
  return alike ?? traitOfType('CUSTOM_{type}', { type: to, vendorId: entry.pgpu.vendorId })
}

const traitsAfter = (written: unknown, { from, to }: PciInput): string | null => {
  if (typeof written !== 'string' || from === null) return null
  return written
    .split(',')
    .map((trait) => traitNamedAlike(trait.trim(), { from, to }) ?? trait.trim())
    .join(',')
}

const specsOf = (requested: PciInput, template: PciEntry | null): PciEntry[] => {
  const { entry, given, resourceClass } = requested
  const base = template?.entry ?? { vendor_id: entry.pgpu.vendorId ?? '10de', address: '', managed: 'no' }
  const traits = traitsAfter(base.traits, requested)
  return given.map((address) => ({
    file: PCI_DROP_IN,
    entry: {
      ...base,
      address,
      ...(resourceClass === null ? {} : { resource_class: resourceClass }),
      ...(traits === null ? {} : { traits }),
    },
  }))
}

/** `l40s-8q` becomes `l40s-16q`; a name that does not hold the type's is replaced by it. */
const aliasName = (name: unknown, { from, to }: PciInput): string => {
  const [old, next] = [from?.shortName.toLowerCase(), to.shortName.toLowerCase()]
  if (typeof name !== 'string' || old === undefined || !name.toLowerCase().includes(old)) return next
  return name.toLowerCase().replace(old, next)
}

/**
 * Both ids, and the class where the release knows it: Nova 31.3.1, 32.0.0 and newer refuse an alias without ids unless
 * `[filter_scheduler] pci_in_placement` is on, for nova-api and each nova-compute on its own (nova/pci/request.py
 * _validate_required_ids).
 */
const completeAlias = (
  { nova }: JoinedHost,
  entry: PciEntry['entry'],
  { entry: { pgpu }, resourceClass }: PciInput,
): PciEntry['entry'] => {
  const { productId } = vfIds(pgpu)
  const { resource_class: _class, ...rest } = entry
  const hasClass = resourceClass !== null && rangeHas(nova?.range ?? null, 'aliasClassAndTraits') !== false
  return {
    ...rest,
    vendor_id: pgpu.vendorId ?? '10de',
    ...(productId === null ? {} : { product_id: productId }),
    ...(hasClass ? { resource_class: resourceClass } : {}),
  }
}

const hasIds = ({ entry }: PciEntry): boolean =>
  entry.vendor_id !== undefined && entry.product_id !== undefined

/** The aliases once a class is assigned: one of it is added, and one that the console wrote without ids gets them. */
const aliasesAfter = (
  joined: JoinedHost,
  layout: PciLayout,
  { requested, oldClass }: { requested: PciInput; oldClass: string | null },
): readonly PciEntry[] => {
  const { resourceClass } = requested
  if (resourceClass === null) return layout.aliases
  const isWanted = (alias: PciEntry): boolean => classOfEntry(alias) === resourceClass
  if (layout.aliases.some(isWanted))
    return layout.aliases.map((alias) =>
      isWanted(alias) && isOwnEntry(alias) && !hasIds(alias)
        ? { ...alias, entry: completeAlias(joined, alias.entry, requested) }
        : alias,
    )
  const template = layout.aliases.find((alias) => classOfEntry(alias) === oldClass && oldClass !== null)
  const base = template?.entry ?? { device_type: 'type-VF' }
  const name = aliasName(template?.entry.name, requested)
  return [
    ...layout.aliases,
    { file: PCI_DROP_IN, entry: { ...completeAlias(joined, base, requested), name } },
  ]
}

/** A line of another card of the host as a pattern, without what is of its type. */
const sisterSpec = ({ specs }: PciLayout): PciEntry | null => {
  const sister = specs.find(({ entry }) => entry.managed !== undefined)
  if (sister === undefined) return null
  const { resource_class: _class, traits: _traits, ...entry } = sister.entry
  return { ...sister, entry }
}

type PciAfter = { layout: PciLayout; reason: null } | { layout: null; reason: string }

/** The layout after a pGPU offers the requested functions; the entries of other pGPUs are unchanged. */
export const pciLayoutAfter = (joined: JoinedHost, before: PciLayout, requested: PciInput): PciAfter => {
  const { own, shared } = splitEntries(joined, before, requested.entry)
  const foreign = shared.find((spec) => classOfEntry(spec) !== requested.resourceClass)
  if (foreign !== undefined)
    return {
      layout: null,
      reason: `one line of [pci] device_spec also assigns VFs of other pGPUs, so its class cannot change for this pGPU: first write a line for each pGPU`,
    }
  const made = shared.length > 0 ? [] : specsOf(requested, own[0] ?? sisterSpec(before))
  const at = own[0] === undefined ? before.specs.length : before.specs.indexOf(own[0])
  const rest = (specs: readonly PciEntry[]) => specs.filter((spec) => !own.includes(spec))
  const oldClass = [...own, ...shared].map(classOfEntry)[0] ?? null
  return {
    layout: {
      ...before,
      specs: [...rest(before.specs.slice(0, at)), ...made, ...rest(before.specs.slice(at))],
      aliases: aliasesAfter(joined, before, { requested, oldClass }),
    },
    reason: null,
  }
}

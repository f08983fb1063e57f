import type { NovaRange } from './nova-releases'
import type { PciAlias } from './pci-alias'
import { pciClass, pciClassText, pciTraits } from './pci-names'
import { strictBool } from './python-values'
import { specTraits } from './spec-traits'

/** What Nova knows of a PCI function that `device_spec` assigns. Null: not in the report. */
export type PciOffer = {
  vendorId: string | null
  /** Of a VF: not in a report. */
  productId: string | null
  /** As libvirt reports it to Nova: a card that can have VFs is a PF, also while they are off. */
  deviceType: 'type-PCI' | 'type-PF' | 'type-VF' | null
  /** Its class in Placement: that of device_spec, else one of its ids. */
  resourceClass: string | null
  /** The traits that Nova gives it by its device_spec; null: not known. */
  traits: readonly string[] | null
  /** `live_migratable` of its device_spec; undefined: not set, null: not known. */
  isLiveMigratable: boolean | null | undefined
  /** `placement`: Nova schedules aliases by Placement; `ids`: by ids alone. Null: not known. */
  scheduling: PciScheduling | null
  /** nova-compute puts the device into Placement; null: not known. */
  isReported: boolean | null
}

/** By `[filter_scheduler] pci_in_placement` of Nova's API and scheduler. */
export type PciScheduling = 'placement' | 'ids'

/** How Nova schedules the devices of a host, and the releases by whose rules; null: not known. */
export type PciRules = Pick<PciOffer, 'scheduling' | 'isReported'> & { range: NovaRange | null }

/** A device as an entry of device_spec offers it to aliases. */
export const offerOfSpec = (
  spec: { resource_class?: string | undefined } & Parameters<typeof specTraits>[0],
  device: Pick<PciOffer, 'vendorId' | 'productId' | 'deviceType'>,
  { range, scheduling, isReported }: PciRules,
): PciOffer => ({
  vendorId: device.vendorId,
  productId: device.productId,
  deviceType: device.deviceType,
  resourceClass: pciClass(spec.resource_class, device),
  traits: specTraits(spec, range),
  isLiveMigratable:
    spec.live_migratable === undefined ? undefined : strictBool(spec.live_migratable) === true,
  scheduling,
  isReported,
})

type Answer = boolean | null

const sameId = (wanted: string | undefined, is: string | null): Answer => {
  if (wanted === undefined) return true
  return is === null ? null : wanted.trim().toLowerCase() === is.toLowerCase()
}

/** A PF is given only to an alias that requests one (nova/pci/stats.py _filter_pools_for_unrequested_pfs). */
const sameType = ({ device_type: wanted }: PciAlias, { deviceType }: PciOffer): Answer => {
  if (deviceType === null) return null
  return wanted === undefined ? deviceType !== 'type-PF' : wanted === deviceType
}

/** A device whose device_spec does not set it is neither for "yes" nor for "no" (_filter_pools_for_live_migratable_devices). */
const sameMigratable = ({ live_migratable: wanted }: PciAlias, { isLiveMigratable }: PciOffer): Answer => {
  if (wanted === undefined) return true
  return isLiveMigratable === null ? null : strictBool(wanted) === isLiveMigratable
}

const every = (answers: readonly Answer[]): Answer => {
  if (answers.includes(false)) return false
  return answers.includes(null) ? null : true
}

/** The criteria of both modes (nova/pci/stats.py; class and traits are in ignored_spec_tags). */
const takesPool = (alias: PciAlias, offer: PciOffer): Answer =>
  every([
    sameId(alias.vendor_id, offer.vendorId),
    sameId(alias.product_id, offer.productId),
    sameType(alias, offer),
    sameMigratable(alias, offer),
  ])

/** The class that Nova requests from Placement for an alias; null: its ids are missing. */
export const aliasClass = (alias: PciAlias): string | null =>
  pciClass(alias.resource_class, {
    vendorId: alias.vendor_id ?? null,
    productId: alias.product_id ?? null,
  })

/** The traits that Nova requires for an alias. */
export const aliasTraits = ({ traits }: PciAlias): string[] => pciTraits(traits)

/** nova/objects/request_spec.py generate_request_groups_from_pci_requests. */
const takesInPlacement = (alias: PciAlias, offer: PciOffer): Answer => {
  const wanted = aliasClass(alias)
  const { resourceClass, traits, isReported } = offer
  const required = aliasTraits(alias)
  return every([
    isReported,
    // Without both ids and a class Nova requests a class that no device has.
    wanted !== null && (resourceClass === null ? null : wanted === resourceClass),
    required.length === 0 || (traits === null ? null : required.every((trait) => traits.includes(trait))),
  ])
}

/**
 * Whether an alias takes a function; null: not known. With `pci_in_placement` class and traits decide in addition to the ids, without
 * it Nova ignores them. Source: nova/pci/stats.py, nova/objects/request_spec.py.
 */
export const aliasTakes = (alias: PciAlias, offer: PciOffer): Answer => {
  const byPool = takesPool(alias, offer)
  if (byPool === false || offer.scheduling === 'ids') return byPool
  const byPlacement = every([byPool, takesInPlacement(alias, offer)])
  if (offer.scheduling === 'placement' || byPlacement === byPool) return byPlacement
  // A host that does not report its devices shows that Placement does not schedule them.
  return offer.isReported === false ? byPool : null
}

/** The short form of an alias's devices: `10de:1024, type-PCI`. */
export const aliasMeaning = (alias: PciAlias): string => {
  const ids =
    alias.vendor_id === undefined && alias.product_id === undefined
      ? null
      : `${alias.vendor_id?.toLowerCase() ?? '*'}:${alias.product_id?.toLowerCase() ?? '*'}`
  const traits = aliasTraits(alias)
  const parts = [
    ids,
    alias.resource_class === undefined ? null : pciClassText(alias.resource_class),
    alias.device_type ?? null,
    traits.length === 0 ? null : `traits ${traits.join(' and ')}`,
    alias.live_migratable === undefined ? null : `live_migratable ${alias.live_migratable}`,
  ].filter((part) => part !== null)
  return parts.length === 0 ? 'any device' : parts.join(', ')
}

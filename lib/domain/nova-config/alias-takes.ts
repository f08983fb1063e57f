import type { DeviceSpec } from './device-spec'
import type { PciAlias } from './pci-alias'

/** What Nova knows of a PCI function that `device_spec` hands out. Null: not told. */
export type PciOffer = {
  vendorId: string | null
  /** Of a VF: not in a report. */
  productId: string | null
  /** As libvirt tells Nova: a card that can have VFs is a PF, also while they are off. */
  deviceType: 'type-PCI' | 'type-PF' | 'type-VF' | null
  /** Capitals, `CUSTOM_` in front. */
  resourceClass: string | null
}

/** A class as Nova writes it: capitals, everything else an underscore, `CUSTOM_` in front (os_resource_classes normalize_name). */
export const pciClassText = (text: string): string => {
  const name = text.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_')
  return name.startsWith('CUSTOM_') ? name : `CUSTOM_${name}`
}

/** The class of a function: that of its entry, else one made of its ids (pci_placement_translator.py). */
export const offeredClass = (
  { resource_class: named }: Pick<DeviceSpec, 'resource_class'>,
  { vendorId, productId }: Pick<PciOffer, 'vendorId' | 'productId'>,
): string | null => {
  if (named !== undefined) return pciClassText(named)
  return vendorId === null || productId === null ? null : pciClassText(`PCI_${vendorId}_${productId}`)
}

type Told = boolean | null

const sameId = (wanted: string | undefined, is: string | null): Told => {
  if (wanted === undefined) return true
  return is === null ? null : Number.parseInt(wanted, 16) === Number.parseInt(is, 16)
}

const sameClass = ({ resource_class: wanted }: PciAlias, { resourceClass }: PciOffer): Told => {
  if (wanted === undefined) return true
  return resourceClass === null ? null : pciClassText(wanted) === resourceClass
}

/** A PF is given only to an alias that asks for one (nova/pci/stats.py _filter_pools_for_unrequested_pfs). */
const sameType = ({ device_type: wanted }: PciAlias, { deviceType }: PciOffer): Told => {
  if (deviceType === null) return null
  return wanted === undefined ? deviceType !== 'type-PF' : wanted === deviceType
}

/**
 * Whether an alias takes a function; null: the report does not tell enough. Source: nova/pci/request.py
 * _get_alias_from_config, nova/pci/stats.py.
 */
export const aliasTakes = (alias: PciAlias, offer: PciOffer): Told => {
  const answers = [
    sameId(alias.vendor_id, offer.vendorId),
    sameId(alias.product_id, offer.productId),
    sameClass(alias, offer),
    sameType(alias, offer),
  ]
  if (answers.includes(false)) return false
  return answers.includes(null) ? null : true
}

/** What an alias stands for, in short: `10de:1024, type-PCI`. */
export const aliasMeaning = (alias: PciAlias): string => {
  const ids =
    alias.vendor_id === undefined && alias.product_id === undefined
      ? null
      : `${alias.vendor_id?.toLowerCase() ?? '*'}:${alias.product_id?.toLowerCase() ?? '*'}`
  const parts = [
    ids,
    alias.resource_class === undefined ? null : pciClassText(alias.resource_class),
    alias.device_type ?? null,
  ].filter((part) => part !== null)
  return parts.length === 0 ? 'any device' : parts.join(', ')
}

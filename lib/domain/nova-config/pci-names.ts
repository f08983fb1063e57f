import { STANDARD_CLASSES } from './standard-classes'
import { STANDARD_TRAITS } from './standard-traits'

/** os_resource_classes.normalize_name and os_traits.normalize_name: each run of other characters is one underscore. */
const normalName = (text: string): string => `CUSTOM_${text.replaceAll(/[^0-9A-Za-z]+/g, '_').toUpperCase()}`

/** A class of device_spec or alias as Nova writes it (nova/compute/pci_placement_translator.py _normalize_resource_class). */
export const pciClassText = (text: string): string => {
  const name = text.toUpperCase()
  return STANDARD_CLASSES.has(name) || name.startsWith('CUSTOM_') ? name : normalName(name)
}

/**
 * The class of a PCI device or request (pci_placement_translator.py get_resource_class): the named one, else one of the ids. An
 * empty text counts as none. Null: an id is not known.
 */
export const pciClass = (
  named: string | undefined,
  { vendorId, productId }: { vendorId: string | null; productId: string | null },
): string | null => {
  if (named !== undefined && named !== '') return pciClassText(named)
  return vendorId === null || productId === null ? null : `CUSTOM_PCI_${vendorId}_${productId}`.toUpperCase()
}

const traitText = (name: string): string => {
  if (STANDARD_TRAITS.has(name)) return name
  const upper = name.toUpperCase()
  return upper.startsWith('CUSTOM_') ? upper : normalName(upper)
}

/** The traits of device_spec or alias (pci_placement_translator.py get_traits): a comma-separated text. Each once, sorted. */
export const pciTraits = (text: string | undefined): string[] =>
  text === undefined || text === '' ? [] : [...new Set(text.split(',').map(traitText))].toSorted()

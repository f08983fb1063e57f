import { type NovaRange, type NovaRuleName, rangeHas } from './nova-releases'
import { pciTraits } from './pci-names'
import { strictBool } from './python-values'

/** Nova's mark on the providers of PCI in Placement. */
export const MANAGED_PCI = 'COMPUTE_MANAGED_PCI_DEVICE'

const isOn = (value: unknown): boolean => strictBool(value ?? false) === true

/**
 * The traits that Nova gives the provider of a device of an entry of device_spec; only whole cards may have one_time_use.
 * `range` null: by the newest release. Source: nova/compute/pci_placement_translator.py _get_traits_for_dev, add_parent.
 */
export const specTraits = (
  spec: { traits?: string | undefined; live_migratable?: unknown; one_time_use?: unknown },
  range: NovaRange | null,
): string[] => {
  const has = (rule: NovaRuleName): boolean => rangeHas(range, rule) !== false
  const traits = [
    MANAGED_PCI,
    ...(has('liveMigratableTrait') && isOn(spec.live_migratable) ? ['HW_PCI_LIVE_MIGRATABLE'] : []),
    ...(has('oneTimeUse') && isOn(spec.one_time_use) ? ['HW_PCI_ONE_TIME_USE'] : []),
    ...pciTraits(spec.traits),
  ]
  return [...new Set(traits)].toSorted()
}

import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { type NovaRange, type NovaRuleName, rangeHas } from './nova-releases'
import { isOptionOn } from './option-value'

const OPTIONS = {
  /** nova-compute writes the PCI devices of device_spec into Placement. */
  report: { section: 'pci', name: 'report_in_placement', rule: 'pciReport' },
  /** Nova schedules PCI aliases by Placement, and checks aliases accordingly. */
  schedule: { section: 'filter_scheduler', name: 'pci_in_placement', rule: 'pciInPlacement' },
} as const satisfies Record<string, { section: string; name: string; rule: NovaRuleName }>

/**
 * A switch of PCI in Placement in a nova.conf; both are off by default (nova/conf/pci.py, nova/conf/scheduler.py). Releases that
 * do not have the option ignore it; `range` null: the release is not known.
 */
export const pciFlag = (config: NovaConfig, flag: keyof typeof OPTIONS, range: NovaRange | null): boolean => {
  const { rule, ...option } = OPTIONS[flag]
  return rangeHas(range, rule) !== false && isOptionOn(config, option)
}

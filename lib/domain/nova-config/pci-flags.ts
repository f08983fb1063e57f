import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { isOptionOn } from './option-value'

const OPTIONS = {
  /** nova-compute writes the PCI devices of device_spec into Placement. */
  report: { section: 'pci', name: 'report_in_placement' },
  /** Nova schedules PCI aliases by Placement, and checks aliases accordingly. */
  schedule: { section: 'filter_scheduler', name: 'pci_in_placement' },
} as const

/** A switch of PCI in Placement in a nova.conf; both are off by default (nova/conf/pci.py, nova/conf/scheduler.py). */
export const pciFlag = (config: NovaConfig, flag: keyof typeof OPTIONS): boolean =>
  isOptionOn(config, OPTIONS[flag])

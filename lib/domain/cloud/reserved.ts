import type { GpuProvider } from './fleet-types'

/** Set by Nova on the provider of a `one_time_use` device (nova/compute/pci_placement_translator.py). */
const ONE_TIME_USE = 'HW_PCI_ONE_TIME_USE'

export const isOneTimeUse = ({ provider }: GpuProvider): boolean =>
  provider.traits?.includes(ONE_TIME_USE) === true

/**
 * Nova sets `reserved` to the total when it allocates a one-time-use device. It stays so after the server is deleted, until
 * an operator has cleaned the device. Source: nova doc/source/admin/pci-passthrough.rst "One-Time-Use Devices" (32.0.0).
 */
export const isWaitingForCleaning = (entry: GpuProvider): boolean =>
  entry.kind === 'pci' &&
  Object.values(entry.provider.inventories ?? {}).some(
    ({ total, reserved, used }) =>
      total !== null && total > 0 && reserved !== null && reserved >= total && used === 0,
  )

/** An inventory of a GPU's provider of which something is reserved. */
export type ReservedInventory = { entry: GpuProvider; resourceClass: string; reserved: number; total: number }

export const reservedInventories = (entries: readonly GpuProvider[]): ReservedInventory[] =>
  entries.flatMap((entry) =>
    Object.entries(entry.provider.inventories ?? {}).flatMap(
      ([resourceClass, { reserved, total, capacity }]) =>
        reserved === null || reserved <= 0
          ? []
          : [{ entry, resourceClass, reserved, total: total ?? capacity + reserved }],
    ),
  )

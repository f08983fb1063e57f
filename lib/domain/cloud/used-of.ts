import type { GpuProvider } from './fleet-types'

/** What is allocated of these providers, over all resource classes. */
export const usedOf = (entries: readonly GpuProvider[]): number =>
  entries
    .flatMap(({ provider }) => Object.values(provider.inventories ?? {}))
    .reduce((sum, { used }) => sum + used, 0)

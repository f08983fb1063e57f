import { isPci } from '@/lib/domain/pgpu/is-pci'
import { known, unknown } from '@/lib/domain/pgpu/known'
import type { Known } from '@/lib/domain/pgpu/types'
import type { Fleet, GpuProvider, JoinedHost, JoinedPgpu } from './fleet-types'

/** Placement's values of a pGPU, summed over its providers. */
export type Advertised = {
  total: Known
  used: Known
  /** What Placement would still give: capacity (total - reserved, times ratio) minus used. */
  free: Known
  /** Resource classes with an inventory, sorted. */
  classes: readonly string[]
  /** `CUSTOM_` traits of its providers, sorted; null: not known. */
  traits: readonly string[] | null
}

type Sums = { total: number; used: number; free: number }

const sumOf = ({ provider }: GpuProvider): Sums => {
  const sums: Sums = { total: 0, used: 0, free: 0 }
  for (const inventory of Object.values(provider.inventories ?? {})) {
    sums.total += inventory.total ?? inventory.capacity
    sums.used += inventory.used
    sums.free += Math.max(0, inventory.capacity - inventory.used)
  }
  return sums
}

const all = (number: Known): Pick<Advertised, 'total' | 'used' | 'free'> => ({
  total: number,
  used: number,
  free: number,
})

const nothingAdvertised = (reason: string): Advertised => ({
  ...all(unknown(reason)),
  classes: [],
  traits: null,
})

/** Sums over providers; unknown as a whole when one of them was not read. Unit: vGPUs, or devices for passthrough. */
export const sumProviders = (providers: readonly GpuProvider[]): Advertised => {
  const classes = [...new Set(providers.flatMap(({ provider }) => Object.keys(provider.inventories ?? {})))]
  const traits = providers.some(({ provider }) => provider.traits === null)
    ? null
    : [...new Set(providers.flatMap(({ provider }) => provider.traits ?? []))].filter((trait) =>
        trait.startsWith('CUSTOM_'),
      )
  const unread = providers.find(({ provider }) => provider.inventories === null)
  const shared = { classes: classes.toSorted(), traits: traits?.toSorted() ?? null }
  if (unread !== undefined)
    return { ...all(unknown(`the inventory of ${unread.provider.name} has not been read`)), ...shared }
  const sums = providers.map(sumOf)
  const add = (name: keyof Sums): Known => known(sums.reduce((sum, entry) => sum + entry[name], 0))
  return { total: add('total'), used: add('used'), free: add('free'), ...shared }
}

/** What Placement advertises of a pGPU. No provider is a known 0 for sliced cards, and not Placement's business else. */
export const advertisedOf = (
  fleet: Fleet,
  joined: JoinedHost,
  { pgpu, providers }: JoinedPgpu,
): Advertised => {
  const { providers: readProviders } = fleet.input.facts
  if (readProviders.value === null)
    return nothingAdvertised(`Placement could not be queried: ${readProviders.error}`)
  if (joined.root.state !== 'matched') return nothingAdvertised(joined.root.because)
  if (providers.length === 0 && isPci(pgpu))
    return nothingAdvertised(
      'Placement has no provider for the card; it has PCI devices only with report_in_placement',
    )
  return sumProviders(providers)
}

import type { ProviderInventory, ResourceProvider } from '@/lib/domain/cloud/types'
import type { InventoryRecord, ListedProvider, ProviderSummary } from '../placement/types'

type Inventories = Readonly<Record<string, ProviderInventory>>

/** (total - reserved) x ratio, rounded down as Placement does. */
const capacityOf = (record: InventoryRecord) =>
  Math.floor((record.total - record.reserved) * record.allocationRatio)

/** From a provider's own inventories and usages. */
export const toInventories = (
  records: Readonly<Record<string, InventoryRecord>>,
  usages: Readonly<Record<string, number>>,
): Inventories =>
  Object.fromEntries(
    Object.entries(records).map(([name, record]) => [
      name,
      { ...record, capacity: capacityOf(record), used: usages[name] ?? 0 },
    ]),
  )

/** The same inventories with other usages. */
export const withUsages = (inventories: Inventories, usages: Readonly<Record<string, number>>): Inventories =>
  Object.fromEntries(
    Object.entries(inventories).map(([name, inventory]) => [name, { ...inventory, used: usages[name] ?? 0 }]),
  )

const UNASKED = {
  total: null,
  reserved: null,
  allocationRatio: null,
  minUnit: null,
  maxUnit: null,
  stepSize: null,
}

const isSame = (known: ResourceProvider | undefined, listed: ListedProvider): known is ResourceProvider =>
  known !== undefined && known.generation === listed.generation

/** The same provider with other records of its inventories; what is used of them is known already. */
export const withRecords = (
  provider: ResourceProvider,
  records: Readonly<Record<string, InventoryRecord>>,
): ResourceProvider => ({
  ...provider,
  inventories: toInventories(
    records,
    Object.fromEntries(Object.entries(provider.inventories ?? {}).map(([name, { used }]) => [name, used])),
  ),
})

/** Allocations raise the generation of a provider too: the parts of a capacity stay known while it is the same. */
const partsOf = (known: ProviderInventory | undefined, capacity: number): Partial<ProviderInventory> =>
  known?.capacity === capacity
    ? { total: known.total, reserved: known.reserved, allocationRatio: known.allocationRatio }
    : {}

/**
 * A provider from a candidates answer. What only the inventory itself reports stays from an earlier reading while the
 * generation is the same, since every change of an inventory raises it.
 */
export const fromSummary = (
  listed: ListedProvider,
  summary: ProviderSummary,
  known: ResourceProvider | undefined,
): ResourceProvider => {
  const earlier = isSame(known, listed) ? known : null
  const inventories = Object.fromEntries(
    Object.entries(summary.resources).map(([name, { capacity, used }]) => [
      name,
      {
        ...UNASKED,
        ...partsOf(known?.inventories?.[name], capacity),
        ...earlier?.inventories?.[name],
        capacity,
        used,
      },
    ]),
  )
  return {
    ...listed,
    inventories,
    traits: summary.traits,
    aggregateUuids: earlier?.aggregateUuids ?? null,
  }
}

/** A provider that no candidates answer showed: its earlier values, updated with the current list. */
export const fromEarlier = (
  listed: ListedProvider,
  known: ResourceProvider | undefined,
): ResourceProvider => ({
  ...listed,
  inventories: known?.inventories ?? null,
  traits: known?.traits ?? null,
  aggregateUuids: known?.aggregateUuids ?? null,
})

export const isUnchanged = (known: ResourceProvider | undefined, listed: ListedProvider): boolean =>
  isSame(known, listed) && known.inventories !== null && known.traits !== null

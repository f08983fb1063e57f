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

/**
 * A provider from a candidates answer. What only the inventory itself says stays from an earlier reading while the
 * generation is the same, for every change of an inventory raises it.
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
      { ...UNASKED, ...earlier?.inventories?.[name], capacity, used },
    ]),
  )
  return {
    ...listed,
    inventories,
    traits: summary.traits,
    aggregateUuids: earlier?.aggregateUuids ?? null,
  }
}

/** A provider that no candidates answer showed: what was known of it, under what the list says now. */
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

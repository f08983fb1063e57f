import type { ProviderInventory, ResourceProvider } from '@/lib/domain/cloud/types'
import type { InventoryRecord, ListedProvider, ProviderSummary } from '../placement/types'

type Inventories = Readonly<Record<string, ProviderInventory>>
type Parts = Pick<
  ProviderInventory,
  'total' | 'reserved' | 'allocationRatio' | 'minUnit' | 'maxUnit' | 'stepSize'
>
type Values = Pick<ResourceProvider, 'inventories' | 'traits' | 'aggregateUuids'>

// Without spreads of different sources, for which V8 creates one hidden class per object: in a large cloud these took a tenth of
// the memory, and reading such objects is slow.

const inventoryOf = (parts: Parts, amounts: { capacity: number; used: number }): ProviderInventory => ({
  capacity: amounts.capacity,
  used: amounts.used,
  total: parts.total,
  reserved: parts.reserved,
  allocationRatio: parts.allocationRatio,
  minUnit: parts.minUnit,
  maxUnit: parts.maxUnit,
  stepSize: parts.stepSize,
})

/** A provider of the list with these values. */
export const providerOf = (listed: ListedProvider, values: Values): ResourceProvider => ({
  uuid: listed.uuid,
  name: listed.name,
  generation: listed.generation,
  parentUuid: listed.parentUuid,
  rootUuid: listed.rootUuid,
  inventories: values.inventories,
  traits: values.traits,
  aggregateUuids: values.aggregateUuids,
})

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
      inventoryOf(record, { capacity: capacityOf(record), used: usages[name] ?? 0 }),
    ]),
  )

/** The same inventories with other usages. */
export const withUsages = (inventories: Inventories, usages: Readonly<Record<string, number>>): Inventories =>
  Object.fromEntries(
    Object.entries(inventories).map(([name, inventory]) => [
      name,
      inventoryOf(inventory, { capacity: inventory.capacity, used: usages[name] ?? 0 }),
    ]),
  )

const NEVER_READ: Parts = {
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
): ResourceProvider => {
  const used = Object.entries(provider.inventories ?? {}).map(([name, inventory]) => [name, inventory.used])
  const inventories = toInventories(records, Object.fromEntries(used))
  return providerOf(provider, {
    inventories,
    traits: provider.traits,
    aggregateUuids: provider.aggregateUuids,
  })
}

/** Allocations raise the generation of a provider too: the parts of a capacity stay known while it is the same. */
const partsOf = (
  known: ProviderInventory | undefined,
  { capacity, isSameGeneration }: { capacity: number; isSameGeneration: boolean },
): Parts => {
  if (known === undefined) return NEVER_READ
  if (isSameGeneration) return known
  const { total, reserved, allocationRatio } = known
  return known.capacity === capacity ? { ...NEVER_READ, total, reserved, allocationRatio } : NEVER_READ
}

const isSameNode = (known: ResourceProvider, listed: ListedProvider): boolean =>
  known.name === listed.name && known.parentUuid === listed.parentUuid && known.rootUuid === listed.rootUuid

const hasAmounts = (inventories: Inventories | null, resources: ProviderSummary['resources']): boolean => {
  if (inventories === null) return false
  const names = Object.keys(resources)
  return (
    names.length === Object.keys(inventories).length &&
    names.every((name) => {
      const known = inventories[name]
      return known?.capacity === resources[name]?.capacity && known?.used === resources[name]?.used
    })
  )
}

const isSameTexts = (known: readonly string[] | null, texts: readonly string[]): boolean =>
  known === texts ||
  (known !== null && known.length === texts.length && texts.every((text, index) => text === known[index]))

/**
 * A provider from a candidates answer; the earlier object if nothing changed. Values that only the inventory itself reports stay
 * from an earlier reading while the generation is the same, since every change of an inventory raises it.
 */
export const fromSummary = (
  listed: ListedProvider,
  summary: ProviderSummary,
  known: ResourceProvider | undefined,
): ResourceProvider => {
  const isSameGeneration = isSame(known, listed)
  if (
    isSameGeneration &&
    isSameNode(known, listed) &&
    hasAmounts(known.inventories, summary.resources) &&
    isSameTexts(known.traits, summary.traits)
  )
    return known
  const inventories = Object.fromEntries(
    Object.entries(summary.resources).map(([name, amounts]) => {
      const { capacity } = amounts
      return [name, inventoryOf(partsOf(known?.inventories?.[name], { capacity, isSameGeneration }), amounts)]
    }),
  )
  return providerOf(listed, {
    inventories,
    traits: summary.traits,
    aggregateUuids: isSameGeneration ? known.aggregateUuids : null,
  })
}

/** A provider that no candidates answer showed: its earlier values, updated with the current list. */
export const fromEarlier = (listed: ListedProvider, known: ResourceProvider | undefined): ResourceProvider =>
  isSame(known, listed) && isSameNode(known, listed)
    ? known
    : providerOf(listed, known ?? { inventories: null, traits: null, aggregateUuids: null })

export const isUnchanged = (known: ResourceProvider | undefined, listed: ListedProvider): boolean =>
  isSame(known, listed) && known.inventories !== null && known.traits !== null

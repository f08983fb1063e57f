import type { CatalogFlavor } from '@/lib/schemas/api/catalog'

export type CatalogFilter = {
  purpose: CatalogFlavor['purposes'][number] | null
  /** GiB of one GPU at least. */
  memoryGib: number | null
}

/** The least that one GPU of a flavor has, over the cards that it may land on; null: not known. Unit: MiB. */
const surelyMib = ({ cards }: CatalogFlavor): number | null => {
  const sizes = cards.map(({ memoryMib }) => memoryMib)
  return sizes.length === 0
    ? null
    : sizes.reduce((least, size) => (least === null || size === null ? null : Math.min(least, size)))
}

/** Flavors that serve a purpose and surely have the memory, in the order in which they came. */
export const filterCatalog = (
  flavors: readonly CatalogFlavor[],
  { purpose, memoryGib }: CatalogFilter,
): CatalogFlavor[] =>
  flavors.filter(
    (flavor) =>
      (purpose === null || flavor.purposes.includes(purpose)) &&
      (memoryGib === null || (surelyMib(flavor) ?? 0) >= memoryGib * 1024),
  )

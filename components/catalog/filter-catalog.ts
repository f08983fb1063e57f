import type { CatalogFlavor } from '@/lib/schemas/api/catalog'
import { flavorTitle } from './catalog-words'

export type CatalogFilter = {
  /** Every word is in the name of the flavor or in its title. */
  q: string
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

/** Flavors that contain the words, serve a purpose and surely have the memory, in the order in which they came. */
export const filterCatalog = (
  flavors: readonly CatalogFlavor[],
  { q, purpose, memoryGib }: CatalogFilter,
): CatalogFlavor[] => {
  const words = q.toLowerCase().split(/\s+/)
  return flavors.filter((flavor) => {
    const text = `${flavor.name} ${flavorTitle(flavor)}`.toLowerCase()
    return (
      words.every((word) => text.includes(word)) &&
      (purpose === null || flavor.purposes.includes(purpose)) &&
      (memoryGib === null || (surelyMib(flavor) ?? 0) >= memoryGib * 1024)
    )
  })
}

'use client'

import { useQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { someFlavorsOptions } from '@/lib/api/catalog'
import type { CatalogFlavor } from '@/lib/schemas/api/catalog'
import { catalogSearchParams } from './catalog-search-params'
import { MAX_COMPARED } from './compare-choice'

/** The flavor whose dialog is open; null: none is. `missing`: the project has no flavor with the id. */
export type OpenedFlavor = CatalogFlavor | 'loading' | 'missing' | null

/**
 * The flavors that the address names: to compare, and the one whose dialog is open. Those that are not among the loaded ones,
 * because of a filter or on another page, are requested by id.
 */
export const useChosenFlavors = (
  loaded: readonly CatalogFlavor[],
): { compared: readonly CatalogFlavor[]; opened: OpenedFlavor } => {
  const [{ compare, flavor }] = useQueryStates(catalogSearchParams)
  const compareIds = [...new Set(compare)].slice(0, MAX_COMPARED)
  const known = new Map(loaded.map((one) => [one.id, one]))
  const missing = [...compareIds, ...(flavor === null ? [] : [flavor])].filter((id) => !known.has(id))
  const { data, isPlaceholderData } = useQuery(someFlavorsOptions(missing.toSorted()))
  for (const one of data?.flavors ?? []) if (!known.has(one.id)) known.set(one.id, one)
  const openedOf = (id: string): OpenedFlavor =>
    known.get(id) ?? (data === undefined || isPlaceholderData ? 'loading' : 'missing')
  return {
    compared: compareIds.flatMap((id) => known.get(id) ?? []),
    opened: flavor === null ? null : openedOf(flavor),
  }
}

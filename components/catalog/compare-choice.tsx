'use client'

import { useQueryStates } from 'nuqs'
import type { CatalogFlavor } from '@/lib/schemas/api/catalog'
import { catalogSearchParams } from './catalog-search-params'

export const MAX_COMPARED = 3

/** Adds a flavor to the comparison, or removes it. */
export const CompareChoice = ({ flavor: { id, name } }: { flavor: Pick<CatalogFlavor, 'id' | 'name'> }) => {
  const [{ compare }, setParams] = useQueryStates(catalogSearchParams)
  const isOn = compare.includes(id)
  const isFull = !isOn && compare.length >= MAX_COMPARED
  const toggle = () => {
    const next = isOn ? compare.filter((one) => one !== id) : [...compare, id]
    void setParams({ compare: next.length === 0 ? null : next })
  }
  return (
    <label
      className="flex min-h-6 flex-none cursor-pointer items-center gap-1.5 text-ink2 text-small max-sm:min-h-9 print:hidden"
      title={isFull ? `Compare at most ${MAX_COMPARED} flavors. Remove one first.` : undefined}
    >
      <input type="checkbox" className="size-3.5" checked={isOn} disabled={isFull} onChange={toggle} />
      Compare<span className="sr-only"> {name}</span>
    </label>
  )
}

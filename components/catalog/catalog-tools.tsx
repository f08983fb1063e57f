'use client'

import { useQueryStates } from 'nuqs'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { ClearButton } from '@/components/ui/clear-button'
import { FilterChip, FilterInput } from '@/components/ui/toolbar'
import type { Catalog, CatalogIsolation, CatalogSort } from '@/lib/schemas/api/catalog'
import { CATALOG_LIST } from '@/lib/schemas/choices'
import { catalogSearchParams, NO_FILTER } from './catalog-search-params'
import { ISOLATION_LABELS, PURPOSE_LABELS } from './catalog-text'

type Filters = Pick<Catalog, 'filters'>

const ANY = 'any'
const ANY_CHOICE = { value: ANY, label: 'any' }

const Purposes = ({ filters }: Filters) => {
  const [params, setParams] = useQueryStates(catalogSearchParams)
  if (filters.purposes.length === 0) return null
  return (
    <fieldset className="contents">
      <legend className="sr-only">Use case</legend>
      <span aria-hidden className="whitespace-nowrap text-ink2 text-small">
        Use case
      </span>
      {filters.purposes.map((purpose) => (
        <FilterChip
          key={purpose}
          isOn={params.for === purpose}
          word={PURPOSE_LABELS[purpose]}
          onToggle={() => void setParams({ for: params.for === purpose ? null : purpose })}
        />
      ))}
    </fieldset>
  )
}

const Memory = ({ filters }: Filters) => {
  const [{ memory }, setParams] = useQueryStates(catalogSearchParams)
  return (
    <ChoiceChip
      label="GPU memory"
      choices={[
        ANY_CHOICE,
        ...filters.memoryGib.map((gib) => ({ value: String(gib), label: `${gib} GiB or more` })),
      ]}
      chosen={memory === null ? [] : [String(memory)]}
      isMultiple={false}
      onChoose={([chosen = ANY]) => void setParams({ memory: chosen === ANY ? null : Number(chosen) })}
    />
  )
}

const isIsolation = (text: string): text is CatalogIsolation => text in ISOLATION_LABELS

const IsolationChoice = ({ filters }: Filters) => {
  const [{ state }, setParams] = useQueryStates(catalogSearchParams)
  return (
    <ChoiceChip
      label="Isolation"
      choices={[
        ANY_CHOICE,
        ...filters.isolations.map((isolation) => ({ value: isolation, label: ISOLATION_LABELS[isolation] })),
      ]}
      chosen={state === null ? [] : [state]}
      isMultiple={false}
      onChoose={([chosen = ANY]) => void setParams({ state: isIsolation(chosen) ? chosen : null })}
    />
  )
}

/** Each order with its address; the smallest or cheapest first unless the label states the opposite. */
const ORDERS: Readonly<Record<CatalogSort, readonly { desc: boolean; label: string }[]>> = {
  price: [
    { desc: false, label: 'price' },
    { desc: true, label: 'price, highest first' },
  ],
  name: [{ desc: false, label: 'name' }],
  memory: [
    { desc: false, label: 'GPU memory' },
    { desc: true, label: 'GPU memory, largest first' },
  ],
  availability: [{ desc: false, label: 'availability' }],
}

const DESC = ' desc'
const orderKey = (sort: CatalogSort, desc: boolean): string => `${sort}${desc ? DESC : ''}`

/** Without prices, the order by price is that by name. */
const SortChoice = ({ hasPrices }: Pick<Catalog, 'hasPrices'>) => {
  const [{ sort: chosen, desc }, setParams] = useQueryStates(catalogSearchParams)
  const sorts = CATALOG_LIST.sorts.filter((one) => one !== 'price' || hasPrices)
  const sort = sorts.find((one) => one === chosen) ?? 'name'
  const choose = (key: string) => {
    const name = key.replace(DESC, '')
    const found = CATALOG_LIST.sorts.find((one) => one === name)
    if (found !== undefined) void setParams({ sort: found, desc: key.endsWith(DESC) })
  }
  return (
    <ChoiceChip
      label="Sort by"
      choices={sorts.flatMap((one) =>
        ORDERS[one].map((order) => ({ value: orderKey(one, order.desc), label: order.label })),
      )}
      chosen={[orderKey(sort, desc && ORDERS[sort].length > 1)]}
      isMultiple={false}
      onChoose={([key = '']) => choose(key)}
    />
  )
}

/** Whether the list is narrowed. */
export const useIsNarrowed = (): boolean => {
  const [{ q, state, memory, for: purpose }] = useQueryStates(catalogSearchParams)
  return q !== '' || state !== null || memory !== null || purpose !== null
}

/** The search, the filters and the order of the catalog; on a phone the filters scroll sideways in one line. */
export const CatalogTools = ({ filters, hasPrices }: Filters & Pick<Catalog, 'hasPrices'>) => {
  const [{ q }, setParams] = useQueryStates(catalogSearchParams)
  const isNarrowed = useIsNarrowed()
  return (
    <div className="mb-2 print:hidden">
      <FilterInput
        className="!h-9"
        label="Search flavors, GPU models, memory, use cases"
        value={q}
        onChange={(text) => void setParams({ q: text })}
      />
      <div className="relative mt-2.5 flex items-center gap-2 py-0.5 max-sm:-mx-3.5 max-sm:overflow-x-auto max-sm:px-3.5 sm:flex-wrap max-sm:[&>*]:flex-none max-sm:[&_button]:min-h-[34px]">
        <Purposes filters={filters} />
        <Memory filters={filters} />
        <IsolationChoice filters={filters} />
        {isNarrowed ? <ClearButton onClear={() => void setParams(NO_FILTER)} /> : null}
        <span className="flex-1 max-sm:hidden" />
        <SortChoice hasPrices={hasPrices} />
      </div>
    </div>
  )
}

'use client'

import { useQueryStates } from 'nuqs'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { ClearButton } from '@/components/ui/clear-button'
import { FilterChip, FilterInput, Toolbar } from '@/components/ui/toolbar'
import { CATALOG_PURPOSES } from '@/lib/schemas/api/catalog'
import { catalogSearchParams, NO_FILTER } from './catalog-search-params'
import { PURPOSE_WORDS } from './catalog-words'

const MEMORY_STEPS = [2, 4, 8, 16, 24, 40, 80]
const ANY = 'any'

const Purposes = () => {
  const [params, setParams] = useQueryStates(catalogSearchParams)
  return (
    <fieldset className="contents">
      <legend className="sr-only">What do you want to do?</legend>
      <span aria-hidden className="text-ink3">
        Use case
      </span>
      {CATALOG_PURPOSES.map((purpose) => (
        <FilterChip
          key={purpose}
          isOn={params.for === purpose}
          word={PURPOSE_WORDS[purpose]}
          onToggle={() => void setParams({ for: params.for === purpose ? null : purpose })}
        />
      ))}
    </fieldset>
  )
}

const Views = () => {
  const [{ view }, setParams] = useQueryStates(catalogSearchParams)
  return (
    <fieldset className="m-0 ml-auto flex gap-2">
      <legend className="sr-only">Show as</legend>
      {(['cards', 'table'] as const).map((one) => (
        <FilterChip
          key={one}
          isOn={view === one}
          word={one === 'cards' ? 'Cards' : 'Table'}
          onToggle={() => void setParams({ view: one })}
        />
      ))}
    </fieldset>
  )
}

/** The filters of the catalog, and its view. */
export const CatalogTools = ({ hasSearch }: { hasSearch: boolean }) => {
  const [params, setParams] = useQueryStates(catalogSearchParams)
  return (
    <Toolbar>
      {hasSearch ? (
        <FilterInput
          className="sm:w-[200px]"
          label="Search flavors"
          value={params.q}
          onChange={(q) => void setParams({ q })}
        />
      ) : null}
      <Purposes />
      <ChoiceChip
        label="GPU memory"
        choices={[
          { value: ANY, label: 'any' },
          ...MEMORY_STEPS.map((gib) => ({ value: String(gib), label: `${gib} GiB or more` })),
        ]}
        chosen={[params.memory === null ? ANY : String(params.memory)]}
        isMultiple={false}
        onChoose={([chosen = ANY]) => void setParams({ memory: chosen === ANY ? null : Number(chosen) })}
      />
      {params.q === '' && params.for === null && params.memory === null ? null : (
        <ClearButton onClear={() => void setParams(NO_FILTER)} />
      )}
      <Views />
    </Toolbar>
  )
}

'use client'

import { useQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { CreateServerDrawer } from '@/components/create-server/create-server-drawer'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageTitle } from '@/components/shell/page-title'
import { Button } from '@/components/ui/button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { ClearButton } from '@/components/ui/clear-button'
import { KeyValue, KeyValues, Unknown } from '@/components/ui/key-values'
import { useMoreRows } from '@/components/ui/more-rows'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { FilterChip, FilterInput, Toolbar } from '@/components/ui/toolbar'
import { catalogOptions } from '@/lib/api/catalog'
import type { Catalog, CatalogFlavor } from '@/lib/schemas/api/catalog'
import { CATALOG_PURPOSES } from '@/lib/schemas/choices'
import { classNames } from '@/lib/util/class-names'
import { formatMib, formatNoun } from '@/lib/util/format'
import { formatMoney } from '@/lib/util/format-money'
import { hasTerms, searchTerms } from '@/lib/util/search-terms'
import { AvailabilityMark } from './availability-mark'
import { catalogSearchParams, NO_FILTER } from './catalog-search-params'
import {
  cardNote,
  flavorTitle,
  formatDisplays,
  formatDrivers,
  formatLicenses,
  formatMemory,
  PURPOSE_LABELS,
  purposeSentence,
} from './catalog-text'
import { FlavorActions } from './flavor-actions'
import { FlavorComparison } from './flavor-comparison'
import { LimitStrip } from './limit-strip'

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
          word={PURPOSE_LABELS[purpose]}
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
const CatalogTools = ({ hasSearch }: { hasSearch: boolean }) => {
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

const NOT_REPORTED = 'not reported by the driver'

/** A flavor in a tenant's words. */
const FlavorCard = ({ flavor }: { flavor: CatalogFlavor }) => {
  const note = cardNote(flavor)
  const purpose = purposeSentence(flavor)
  const driver = formatDrivers(flavor)
  return (
    <article
      aria-label={flavor.name}
      className="flex flex-col gap-[9px] rounded-panel border border-line bg-panel px-4 py-3.5"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="m-0 font-semibold text-[15px] tracking-[-0.01em]">{flavorTitle(flavor)}</h2>
        <code className="min-w-0 break-all text-ink3">{flavor.name}</code>
      </div>
      {purpose === null ? null : <p className="text-ink2">{purpose}</p>}
      <AvailabilityMark flavor={flavor} />
      <KeyValues className="!gap-x-2 !gap-y-[3px]">
        <KeyValue label="GPU memory">{formatMemory(flavor) ?? <Unknown reason={NOT_REPORTED} />}</KeyValue>
        <KeyValue label="Displays">{formatDisplays(flavor) ?? <Unknown reason={NOT_REPORTED} />}</KeyValue>
        <KeyValue label="License">{formatLicenses(flavor) ?? <Unknown reason={NOT_REPORTED} />}</KeyValue>
        {driver === null ? null : <KeyValue label="Guest driver">{driver}</KeyValue>}
        <KeyValue label="vCPU, memory">
          {flavor.vcpus}, {formatMib(flavor.memoryMib)}
        </KeyValue>
        <KeyValue label="Disk">{flavor.diskGib} GiB</KeyValue>
        {flavor.pricePerHour === null ? null : (
          <KeyValue label="Price per hour">{formatMoney(flavor.pricePerHour)}</KeyValue>
        )}
      </KeyValues>
      {note === null ? null : (
        <p className={classNames('text-ink2', flavor.headroom.state === 'short' && 'text-warn')}>{note}</p>
      )}
      <div className="mt-auto pt-1">
        <FlavorActions flavor={flavor} />
      </div>
    </article>
  )
}

type CatalogFilter = {
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
    : sizes.reduce((min, size) => (min === null || size === null ? null : Math.min(min, size)))
}

/** Flavors that contain the words, serve a purpose and surely have the memory, in the order in which they came. */
export const filterCatalog = (
  flavors: readonly CatalogFlavor[],
  { q, purpose, memoryGib }: CatalogFilter,
): CatalogFlavor[] => {
  const words = searchTerms(q)
  return flavors.filter((flavor) => {
    return (
      hasTerms(`${flavor.name} ${flavorTitle(flavor)}`, words) &&
      (purpose === null || flavor.purposes.includes(purpose)) &&
      (memoryGib === null || (surelyMib(flavor) ?? 0) >= memoryGib * 1024)
    )
  })
}

/** Flavors that are drawn at first. */
const FLAVORS = 24

const List = ({ data }: { data: Catalog }) => {
  const [params, setParams] = useQueryStates(catalogSearchParams)
  const shown = useMemo(
    () => filterCatalog(data.flavors, { q: params.q, purpose: params.for, memoryGib: params.memory }),
    [data.flavors, params.q, params.for, params.memory],
  )
  const { first, more } = useMoreRows(shown, FLAVORS)
  return (
    <>
      <CatalogTools hasSearch={data.flavors.length > FLAVORS || params.q !== ''} />
      <p className="sr-only" role="status">
        {params.q === '' && params.for === null && params.memory === null
          ? ''
          : `${shown.length} of ${formatNoun(data.flavors.length, 'flavor')} shown`}
      </p>
      {shown.length === 0 ? (
        <EmptyState
          title="No flavor matches the filter"
          action={<Button onClick={() => void setParams(NO_FILTER)}>Clear the filter</Button>}
        >
          Change the search, the memory or the use case, or ask an admin of the cloud for a flavor.
        </EmptyState>
      ) : params.view === 'table' ? (
        <FlavorComparison flavors={first} />
      ) : (
        <div className="grid gap-3.5 sm:grid-cols-2 lg:grid-cols-3">
          {first.map((flavor) => (
            <FlavorCard key={flavor.id} flavor={flavor} />
          ))}
        </div>
      )}
      {more}
    </>
  )
}

const Stale = () => (
  <p className="mb-3 text-ink2">
    <strong className="font-semibold text-warn">Availability is unknown:</strong> the cloud has not responded
    for a while. The last known flavors are shown. Try again in a few minutes.
  </p>
)

const Body = ({ data }: { data: Catalog }) => {
  if (data.state === 'unread')
    return (
      <EmptyState title="The catalog has not been read yet">
        The console has just started, or the cloud does not respond. This page refreshes automatically.
      </EmptyState>
    )
  return (
    <>
      {data.state === 'stale' ? <Stale /> : null}
      {data.limits === null ? null : <LimitStrip limits={data.limits} />}
      {data.flavors.length === 0 ? (
        <EmptyState title="No GPU flavors">
          No GPU flavor is public or shared with {data.project}. Ask an admin of the cloud for access and
          describe your use case. This page refreshes automatically.
        </EmptyState>
      ) : (
        <List data={data} />
      )}
      <CreateServerDrawer catalog={data} />
    </>
  )
}

/** GPU flavors of the own project, in a tenant's words. */
export const CatalogPage = () => {
  const query = useQuery(catalogOptions())
  const { data, error, isPending } = query
  return (
    <>
      <PageTitle
        title={data === undefined ? 'GPU flavors' : `GPU flavors for ${data.project}`}
        {...(data === undefined || data.state === 'unread'
          ? {}
          : { sub: `${formatNoun(data.flavors.length, 'flavor')} available to your project` })}
      />
      <LoadProblem query={query} what="The catalog" />
      {isPending && error === null ? <SkeletonRows rows={6} label="Loading the catalog" /> : null}
      {data === undefined ? null : <Body data={data} />}
    </>
  )
}

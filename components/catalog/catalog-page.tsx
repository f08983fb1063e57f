'use client'

import { useQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageTitle } from '@/components/shell/page-title'
import { Button } from '@/components/ui/button'
import { useMoreRows } from '@/components/ui/more-rows'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { catalogOptions } from '@/lib/api/catalog'
import type { Catalog } from '@/lib/schemas/api/catalog'
import { formatNoun } from '@/lib/util/format'
import { catalogSearchParams, NO_FILTER } from './catalog-search-params'
import { CatalogTools } from './catalog-tools'
import { filterCatalog } from './filter-catalog'
import { FlavorCard } from './flavor-card'
import { FlavorComparison } from './flavor-comparison'
import { GetDialog } from './get-dialog'
import { LimitStrip } from './limit-strip'

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
          title="No flavor of your project matches the filter"
          action={<Button onClick={() => void setParams(NO_FILTER)}>Clear the filter</Button>}
        >
          Change the words, the memory or the use case, or ask an admin of the cloud for a flavor.
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
    <strong className="font-semibold text-warn">What is free can’t be told now:</strong> the cloud has not
    answered for a while. The flavors are those of the last time; try again in a few minutes.
  </p>
)

const Body = ({ data }: { data: Catalog }) => {
  if (data.state === 'unread')
    return (
      <EmptyState title="The catalogue is being put together">
        The console has only just started, or the cloud does not answer. This page fills by itself.
      </EmptyState>
    )
  return (
    <>
      {data.state === 'stale' ? <Stale /> : null}
      {data.limits === null ? null : <LimitStrip limits={data.limits} />}
      {data.flavors.length === 0 ? (
        <EmptyState title="Your project has no GPU flavor">
          No flavor for GPUs is public or shared with {data.project}. Ask an admin of the cloud for one, and
          say what it is for: this page fills by itself once {data.project} may use it.
        </EmptyState>
      ) : (
        <List data={data} />
      )}
      <GetDialog catalog={data} />
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
          : { sub: `${formatNoun(data.flavors.length, 'flavor')} that your project may use` })}
      />
      <LoadProblem query={query} what="The catalogue" />
      {isPending && error === null ? <SkeletonRows rows={6} label="Loading the catalogue" /> : null}
      {data === undefined ? null : <Body data={data} />}
    </>
  )
}

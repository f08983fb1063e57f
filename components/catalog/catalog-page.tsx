'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { CreateServerDrawer } from '@/components/create-server/create-server-drawer'
import { SETTLED_MS, useSettled } from '@/components/gpus/use-settled'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageTitle } from '@/components/shell/page-title'
import { Button } from '@/components/ui/button'
import { MoreRows } from '@/components/ui/more-rows'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { catalogPages } from '@/lib/api/catalog'
import type { Catalog, CatalogFlavor } from '@/lib/schemas/api/catalog'
import { catalogQuestion } from '@/lib/schemas/api/catalog-question'
import { formatCount, formatNoun } from '@/lib/util/format'
import { catalogSearchParams, NO_FILTER } from './catalog-search-params'
import { CatalogTools, useIsNarrowed } from './catalog-tools'
import { CompareTable } from './compare-table'
import { FlavorCard } from './flavor-card'
import { QuotaStrip } from './quota-strip'
import { useChosenFlavors } from './use-chosen-flavors'

type Listed = {
  data: Catalog
  flavors: readonly CatalogFlavor[]
  onMore: (() => void) | null
}

const NoMatch = () => {
  const [, setParams] = useQueryStates(catalogSearchParams)
  return (
    <EmptyState
      title="No flavor matches the filter"
      action={<Button onClick={() => void setParams(NO_FILTER)}>Clear the filter</Button>}
    >
      Change the search or the filters, or ask an admin of the cloud for a flavor.
    </EmptyState>
  )
}

const Cards = ({ data, flavors, onMore }: Listed) => {
  const isNarrowed = useIsNarrowed()
  const { counts, total } = data
  return (
    <>
      <CatalogTools filters={data.filters} hasPrices={data.hasPrices} />
      <p className="mb-1.5 text-ink2 text-small" role="status">
        {isNarrowed ? `${formatCount(total)} of ${formatNoun(counts.all, 'flavor')}` : ''}
      </p>
      {flavors.length === 0 ? (
        <NoMatch />
      ) : (
        <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 print:grid-cols-2">
          {flavors.map((flavor) => (
            <FlavorCard key={flavor.id} flavor={flavor} />
          ))}
        </div>
      )}
      <MoreRows shown={flavors.length} total={total} onMore={onMore} />
    </>
  )
}

const Stale = () => (
  <p className="mb-3 text-ink2">
    <strong className="font-semibold text-warn">Availability is unknown:</strong> the cloud has not responded
    for a while. The last known flavors are shown. Try again in a few minutes.
  </p>
)

const Body = (listed: Listed) => {
  const { data, flavors } = listed
  const chosen = useChosenFlavors(flavors)
  if (data.state === 'unread')
    return (
      <EmptyState title="The catalog has not been read yet">
        The console has just started, or the cloud does not respond. This page refreshes automatically.
      </EmptyState>
    )
  return (
    <>
      {data.state === 'stale' ? <Stale /> : null}
      <QuotaStrip catalog={data} />
      {data.counts.all === 0 ? (
        <EmptyState title="No GPU flavors">
          No GPU flavor is public or shared with {data.project}. Ask an admin of the cloud for access and
          describe your use case. This page refreshes automatically.
        </EmptyState>
      ) : (
        <Cards {...listed} />
      )}
      <CompareTable flavors={chosen.compared} />
      <CreateServerDrawer dashboards={data.dashboards} opened={chosen.opened} />
    </>
  )
}

/** GPU flavors of the own project, in a tenant's words. */
export const CatalogPage = () => {
  const [params] = useQueryStates(catalogSearchParams)
  const q = useSettled(params.q, SETTLED_MS)
  const query = useInfiniteQuery(catalogPages.options(catalogQuestion({ ...params, q })))
  const { error, isPending } = query
  const data = query.data?.pages[0]
  return (
    <>
      <PageTitle
        title="GPU flavors"
        {...(data === undefined || data.state === 'unread'
          ? {}
          : { sub: `${formatNoun(data.counts.all, 'flavor')} available to ${data.project}` })}
      />
      <LoadProblem query={query} what="The catalog" />
      {isPending && error === null ? <SkeletonRows rows={6} label="Loading the catalog" /> : null}
      {data === undefined ? null : (
        <Body
          data={data}
          flavors={(query.data?.pages ?? []).flatMap(({ flavors }) => flavors)}
          onMore={query.hasNextPage ? () => void query.fetchNextPage() : null}
        />
      )}
    </>
  )
}

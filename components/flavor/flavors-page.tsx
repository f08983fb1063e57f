'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import type { ReactNode } from 'react'
import { NotReadYet } from '@/components/cloud/not-read-yet'
import { StaleBanner } from '@/components/cloud/stale-banner'
import { RefusedPanel } from '@/components/demand/refused-panel'
import { SETTLED_MS, useSettled } from '@/components/gpus/use-settled'
import { LoadProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { TimedText } from '@/components/shell/timed-text'
import { useCloud } from '@/components/shell/use-cloud'
import { DataTable } from '@/components/table/data-table'
import { listSearchParams } from '@/components/table/list-search-params'
import { useColumns } from '@/components/table/use-columns'
import { Button } from '@/components/ui/button'
import { ClearButton } from '@/components/ui/clear-button'
import { MoreRows } from '@/components/ui/more-rows'
import { SkeletonRows } from '@/components/ui/skeleton'
import { StateChips } from '@/components/ui/state-chips'
import { EmptyState } from '@/components/ui/states'
import { FilterInput, Toolbar } from '@/components/ui/toolbar'
import { flavorPages } from '@/lib/api/flavors'
import type { FlavorList } from '@/lib/schemas/api/flavor'
import { listQuestion } from '@/lib/schemas/api/list-query'
import { FLAVOR_LIST } from '@/lib/schemas/choices'
import { formatCount, formatNoun } from '@/lib/util/format'
import { BuildLink } from './build-link'
import { FLAVOR_COLUMNS } from './flavor-columns'

const searchParams = listSearchParams(FLAVOR_LIST)
const CLEAR = { q: null, state: null } as const

const Tools = ({ counts, menu }: Pick<FlavorList, 'counts'> & { menu: ReactNode }) => {
  const [params, setParams] = useQueryStates(searchParams)
  return (
    <Toolbar>
      <FilterInput
        className="sm:w-[250px]"
        label="Filter by flavor, type, size"
        value={params.q}
        onChange={(q) => void setParams({ q })}
      />
      <StateChips
        chosen={params.state}
        states={[
          { state: 'full', word: 'No capacity', count: counts.full },
          { state: 'findings', word: 'With findings', count: counts.findings },
        ]}
        onChoose={(state) => void setParams({ state })}
      />
      {params.q === '' && params.state === null ? null : (
        <ClearButton onClear={() => void setParams(CLEAR)} />
      )}
      <span className="flex-1" />
      {menu}
    </Toolbar>
  )
}

const Gap = ({ gap, readAt }: Pick<FlavorList, 'gap' | 'readAt'>) =>
  gap === null ? null : (
    <p className="mb-3 text-ink2">
      <strong className="font-semibold text-warn">Available capacity is unknown:</strong>{' '}
      <TimedText text={gap} />. The values are from the last reading{readAt === null ? '' : ', '}
      {readAt === null ? null : <Moment at={readAt} />}.
    </p>
  )

type Listed = { pages: readonly FlavorList[]; onMore: (() => void) | null }

const List = ({ data, pages, onMore }: Listed & { data: FlavorList }) => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(searchParams)
  const { columns, menu } = useColumns(FLAVOR_COLUMNS)
  const shown = pages.flatMap(({ flavors }) => flavors ?? [])
  const { counts, total } = data
  const isNarrowed = params.q !== '' || params.state !== null
  if (counts.all === 0)
    return (
      <EmptyState title="No GPU flavors" action={<BuildLink cloud={cloud} />}>
        {data.withoutGpu === 0
          ? 'Nova has no flavors.'
          : `${formatNoun(data.withoutGpu, 'flavor requests', 'flavors request')} none.`}{' '}
        A flavor requests a vGPU with the extra spec resources:VGPU=1, and a vGPU type with a trait or a
        resource class.
      </EmptyState>
    )
  return (
    <>
      <Tools counts={counts} menu={menu} />
      <p className="sr-only" role="status">
        {isNarrowed ? `${formatCount(total)} of ${formatNoun(counts.all, 'flavor')} found` : ''}
      </p>
      {shown.length === 0 ? (
        <EmptyState
          title="No flavor matches the filter"
          action={<Button onClick={() => void setParams(CLEAR)}>Clear the filter</Button>}
        >
          Every word must match the name, the id or the resources of a flavor.
        </EmptyState>
      ) : (
        <>
          <DataTable
            label="GPU flavors"
            columns={columns}
            rows={shown}
            rowKey={({ id }) => id}
            rowClass={() => 'align-baseline'}
            context={{ cloud }}
            sorting={{ sort: params.sort, desc: params.desc, set: setParams }}
            className={data.gap === null ? '' : 'old-words'}
          />
          <MoreRows shown={shown.length} total={total} onMore={onMore} />
        </>
      )}
      {data.withoutGpu === 0 ? null : (
        <p className="mt-2 text-ink3 text-small">
          {formatNoun(data.withoutGpu, 'flavor', 'flavors')} without a GPU{' '}
          {data.withoutGpu === 1 ? 'is' : 'are'} not listed.
        </p>
      )}
    </>
  )
}

const Body = (listed: Listed) => {
  const [data] = listed.pages
  if (data === undefined) return null
  if (data.flavors !== null)
    return (
      <>
        <StaleBanner />
        <Gap gap={data.gap} readAt={data.readAt} />
        <List data={data} {...listed} />
      </>
    )
  return data.isRead ? (
    <>
      <StaleBanner />
      <EmptyState title="The flavors are unknown">{data.because}.</EmptyState>
    </>
  ) : (
    <NotReadYet source="Flavors come from Nova, and free capacity comes from Placement." />
  )
}

/** GPU flavors with the number of servers that still fit. */
export const FlavorsPage = () => {
  const { cloud } = useCloud()
  const [params] = useQueryStates(searchParams)
  const q = useSettled(params.q, SETTLED_MS)
  const query = useInfiniteQuery(flavorPages.options(listQuestion(cloud, { ...params, q })))
  const { error, isPending } = query
  const first = query.data?.pages[0]
  return (
    <>
      <PageHeader
        title="Flavors"
        sub={
          first === undefined || first.flavors === null ? undefined : (
            <>
              {formatNoun(first.counts.all, 'GPU flavor')}, read <Moment at={first.readAt} />
            </>
          )
        }
        actions={<BuildLink cloud={cloud} />}
      />
      <LoadProblem query={query} what="The flavors" />
      {isPending && error === null ? <SkeletonRows rows={10} label="Loading the flavors" /> : null}
      {query.data === undefined ? null : (
        <Body pages={query.data.pages} onMore={query.hasNextPage ? () => void query.fetchNextPage() : null} />
      )}
      <RefusedPanel cloud={cloud} className="mt-4" />
    </>
  )
}

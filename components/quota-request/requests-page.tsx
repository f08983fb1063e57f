'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import type { ReactNode } from 'react'
import { SETTLED_MS, useSettled } from '@/components/gpus/use-settled'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { DataTable } from '@/components/table/data-table'
import { useColumns } from '@/components/table/use-columns'
import { Button, buttonStyle } from '@/components/ui/button'
import { MoreRows } from '@/components/ui/more-rows'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { FilterChip, FilterInput, Toolbar } from '@/components/ui/toolbar'
import { quotaRequestPages } from '@/lib/api/quota-requests'
import type { RequestGroup, RequestList } from '@/lib/schemas/api/quota-request'
import { REQUEST_GROUPS } from '@/lib/schemas/choices'
import { formatCount, formatNoun } from '@/lib/util/format'
import { quotasPath } from '@/lib/util/paths'
import { REQUEST_COLUMNS } from './request-columns'
import { requestQuestion } from './request-question'
import { requestSearchParams } from './request-search-params'

const GROUP_LABELS: Readonly<Record<RequestGroup, string>> = {
  open: 'To review',
  granted: 'Granted',
  past: 'Closed',
}

const Tools = ({ counts, menu }: Pick<RequestList, 'counts'> & { menu: ReactNode }) => {
  const [params, setParams] = useQueryStates(requestSearchParams)
  return (
    <Toolbar>
      <FilterInput
        className="sm:w-[240px]"
        label="Filter by project, class, reason"
        value={params.q}
        onChange={(q) => void setParams({ q })}
      />
      {REQUEST_GROUPS.map((group) => (
        <FilterChip
          key={group}
          isOn={params.group === group}
          word={GROUP_LABELS[group]}
          count={counts[group]}
          onToggle={() => void setParams({ group: params.group === group ? null : group })}
        />
      ))}
      <span className="flex-1" />
      {menu}
    </Toolbar>
  )
}

const List = ({ pages, onMore }: { pages: readonly RequestList[]; onMore: (() => void) | null }) => {
  const { cloud } = useCloud()
  const [, setParams] = useQueryStates(requestSearchParams)
  const { columns, menu } = useColumns(REQUEST_COLUMNS)
  const [data] = pages
  if (data === undefined) return null
  const { counts, total } = data
  const shown = pages.flatMap(({ requests }) => requests)
  if (REQUEST_GROUPS.every((group) => counts[group] === 0))
    return (
      <EmptyState title="No quota requests yet">
        Members of a project request quota on their page “Requests”. Approving a request sets the limit. The
        limit is reverted on the end date.
      </EmptyState>
    )
  return (
    <>
      <Tools counts={counts} menu={menu} />
      <p className="sr-only" role="status">
        {formatNoun(total, 'request')} found
      </p>
      {shown.length === 0 ? (
        <EmptyState
          title="No request matches the filter"
          action={<Button onClick={() => void setParams({ q: null, group: null })}>Clear the filter</Button>}
        >
          Every word must match the project, the resource class, the reason or the requester.
        </EmptyState>
      ) : (
        <DataTable
          label="Quota requests"
          columns={columns}
          rows={shown}
          rowKey={({ id }) => id}
          rowClass={() => 'align-baseline'}
          context={{ cloud }}
        />
      )}
      <MoreRows shown={shown.length} total={total} onMore={onMore} />
    </>
  )
}

/** Quota requests, those to review first. */
export const RequestsPage = () => {
  const { cloud } = useCloud()
  const [params] = useQueryStates(requestSearchParams)
  const q = useSettled(params.q, SETTLED_MS)
  const query = useInfiniteQuery(quotaRequestPages.options(requestQuestion(cloud, { ...params, q })))
  const { data, error, isPending } = query
  const open = data?.pages[0]?.counts.open
  return (
    <>
      <PageHeader
        title="Quota requests"
        sub={open === undefined ? undefined : `${open === 0 ? 'none' : formatCount(open)} to review`}
        actions={
          <Link href={quotasPath({ cloud })} className={buttonStyle({})}>
            Quotas
          </Link>
        }
      />
      <LoadProblem query={query} what="The requests" />
      {isPending && error === null ? <SkeletonRows rows={6} label="Loading the requests" /> : null}
      {data === undefined ? null : (
        <List pages={data.pages} onMore={query.hasNextPage ? () => void query.fetchNextPage() : null} />
      )}
    </>
  )
}

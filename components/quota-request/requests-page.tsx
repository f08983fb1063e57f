'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { Button, buttonStyle } from '@/components/ui/button'
import { useMoreRows } from '@/components/ui/more-rows'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { FilterChip, FilterInput, Toolbar } from '@/components/ui/toolbar'
import { quotaRequestListOptions } from '@/lib/api/quota-requests'
import type { RequestList } from '@/lib/schemas/api/quota-request'
import { formatCount, formatNoun } from '@/lib/util/format'
import { quotasPath } from '@/lib/util/paths'
import { arrangeRequests, groupOf, REQUEST_GROUPS, type RequestGroup } from './arrange-requests'
import { requestSearchParams } from './request-search-params'
import { RequestTable } from './request-table'

/** Rows that are drawn at first. */
const ROWS = 40

const GROUP_WORDS: Readonly<Record<RequestGroup, string>> = {
  open: 'To review',
  granted: 'Granted',
  past: 'Closed',
}

const countOf = ({ requests }: RequestList, group: RequestGroup): number =>
  requests.filter((request) => groupOf(request) === group).length

const Tools = ({ data }: { data: RequestList }) => {
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
          word={GROUP_WORDS[group]}
          count={countOf(data, group)}
          onToggle={() => void setParams({ group: params.group === group ? null : group })}
        />
      ))}
    </Toolbar>
  )
}

const List = ({ data }: { data: RequestList }) => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(requestSearchParams)
  const shown = arrangeRequests(data.requests, params)
  const { first, more } = useMoreRows(shown, ROWS)
  if (data.requests.length === 0)
    return (
      <EmptyState title="No quota requests yet">
        Members of a project request quota on their page “Requests”. Approving a request sets the limit. The
        limit is reverted on the end date.
      </EmptyState>
    )
  return (
    <>
      <Tools data={data} />
      <p className="sr-only" role="status">
        {formatNoun(shown.length, 'request')} shown
      </p>
      {shown.length === 0 ? (
        <EmptyState
          title="No request matches the filter"
          action={<Button onClick={() => void setParams({ q: null, group: null })}>Clear the filter</Button>}
        >
          Every word must match the project, the resource class, the reason or the requester.
        </EmptyState>
      ) : (
        <RequestTable requests={first} cloud={cloud} />
      )}
      {more}
      {data.isCut ? (
        <p className="mt-2 text-ink3">
          Only the latest {formatCount(data.requests.length)} requests are listed. The audit log has all of
          them.
        </p>
      ) : null}
    </>
  )
}

/** Quota requests, those to review first. */
export const RequestsPage = () => {
  const { cloud } = useCloud()
  const query = useQuery(quotaRequestListOptions({ cloud }))
  const { data, error, isPending } = query
  return (
    <>
      <PageHeader
        title="Quota requests"
        sub={data === undefined ? undefined : `${countOf(data, 'open') || 'none'} to review`}
        actions={
          <Link href={quotasPath({ cloud })} className={buttonStyle({})}>
            Quotas
          </Link>
        }
      />
      <LoadProblem query={query} what="The requests" />
      {isPending && error === null ? <SkeletonRows rows={6} label="Loading the requests" /> : null}
      {data === undefined ? null : <List data={data} />}
    </>
  )
}

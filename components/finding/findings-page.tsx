'use client'

import { useQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { useDeferredValue, useMemo } from 'react'
import { NotReadYet } from '@/components/cloud/not-read-yet'
import { StaleBanner } from '@/components/cloud/stale-banner'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { downloadCsv } from '@/components/ui/download-text'
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton'
import { findingCountsOptions } from '@/lib/api/finding-counts'
import { findingListOptions } from '@/lib/api/findings'
import type { FindingList } from '@/lib/schemas/api/finding'
import { formatCount, formatNoun } from '@/lib/util/format'
import { filterFindings, isNarrowed } from './filter-findings'
import { findingCsv } from './finding-csv'
import { findingSearchParams } from './finding-search-params'
import { FindingTable } from './finding-table'
import { FindingTools } from './finding-tools'
import { groupFindings } from './group-findings'
import { NoMatch, NothingFound } from './no-findings'
import { PrintedFilter } from './printed-filter'
import { RoundNote } from './round-note'

const Loading = () => (
  <div role="status" aria-label="Loading the findings">
    <div className="mb-2.5 flex gap-2">
      <Skeleton className="h-7 w-[210px]" />
      <Skeleton className="h-7 w-64" />
      <Skeleton className="h-7 w-52" />
    </div>
    <SkeletonRows rows={14} label="Rows on their way" />
  </div>
)

const countState = ({ findings }: FindingList, state: string): number =>
  findings.filter((finding) => finding.state === state).length

const openCount = (data: FindingList): string => {
  const count = countState(data, 'open')
  return count === 0 ? 'none' : formatCount(count)
}

/** Every disagreement and risk that the rounds of reading found. */
export const FindingsPage = () => {
  const { cloud } = useCloud()
  const query = useQuery(findingListOptions({ cloud }))
  const { data, error, isPending } = query
  const readAt = useQuery(findingCountsOptions({ cloud })).data?.readAt ?? null
  return (
    <>
      <PageHeader
        title="Findings"
        sub={
          data === undefined || readAt === null ? undefined : (
            <>
              {openCount(data)} open, last checked <RoundNote readAt={readAt} />
            </>
          )
        }
      />
      <LoadProblem query={query} what="The findings" />
      {isPending && error === null ? <Loading /> : null}
      {data === undefined ? null : <List data={data} readAt={readAt} />}
    </>
  )
}

const List = ({ data, readAt }: { data: FindingList; readAt: string | null }) => {
  const [params] = useQueryStates(findingSearchParams)
  const filter = useDeferredValue(params)
  const { findings, isRead, moreClosed } = data
  const shown = useMemo(() => filterFindings(findings, filter), [findings, filter])
  const groups = useMemo(() => groupFindings(shown), [shown])
  if (!isRead && findings.length === 0)
    return <NotReadYet source="Findings compare the data of the hosts with Placement, Nova and Keystone." />
  const download = () =>
    downloadCsv({
      cloud: data.cloud,
      what: 'findings',
      text: findingCsv(
        data.cloud,
        groups.flatMap((group) => group.findings),
      ),
    })
  const isQuiet = isRead && shown.length === 0 && !isNarrowed(filter) && filter.state.length === 0
  return (
    <>
      <StaleBanner />
      <FindingTools findings={findings} filter={params} onExport={download} />
      <PrintedFilter filter={filter} shown={shown.length} of={findings.length} />
      <p className="sr-only" role="status">
        {isNarrowed(filter) ? `${formatNoun(shown.length, 'finding')} shown` : ''}
      </p>
      {isQuiet ? (
        <NothingFound
          readAt={readAt}
          acknowledged={countState(data, 'acknowledged')}
          closed={countState(data, 'closed') + moreClosed}
        />
      ) : null}
      {shown.length === 0 && !isQuiet ? <NoMatch /> : null}
      {shown.length === 0 ? null : <FindingTable groups={groups} />}
      {moreClosed > 0 && filter.state.includes('closed') ? (
        <p className="mt-2 text-ink3 text-small">
          {formatNoun(moreClosed, 'older finding')} closed earlier {moreClosed === 1 ? 'is' : 'are'} not
          listed.
        </p>
      ) : null}
    </>
  )
}

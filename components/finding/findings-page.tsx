'use client'

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { NotReadYet } from '@/components/cloud/not-read-yet'
import { StaleBanner } from '@/components/cloud/stale-banner'
import { SETTLED_MS, useSettled } from '@/components/gpus/use-settled'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { downloadRows } from '@/components/table/download-rows'
import { useColumns } from '@/components/table/use-columns'
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton'
import { findingCountsOptions } from '@/lib/api/finding-counts'
import type { FindingQuestion } from '@/lib/api/finding-keys'
import { findingPages } from '@/lib/api/findings'
import { isNarrowed } from '@/lib/domain/finding-list/filter-findings'
import { groupFindings } from '@/lib/domain/finding-list/group-findings'
import type { FindingList } from '@/lib/schemas/api/finding'
import type { FindingCounts } from '@/lib/schemas/api/finding-counts'
import { formatCount, formatNoun } from '@/lib/util/format'
import { FINDING_COLUMNS } from './finding-columns'
import { findingQuestion } from './finding-question'
import { findingSearchParams } from './finding-search-params'
import { FindingTable } from './finding-table'
import { FindingTools } from './finding-tools'
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

const openText = ({ open }: FindingCounts): string => {
  const count = open.error + open.warning + open.info
  return count === 0 ? 'none' : formatCount(count)
}

/** Every disagreement and risk that the rounds of reading found. */
export const FindingsPage = () => {
  const { cloud } = useCloud()
  const [filter] = useQueryStates(findingSearchParams)
  const q = useSettled(filter.q, SETTLED_MS)
  const question = findingQuestion(cloud, { ...filter, q })
  const query = useInfiniteQuery(findingPages.options(question))
  const { data, error, isPending } = query
  const counts = useQuery(findingCountsOptions({ cloud })).data
  const readAt = counts?.readAt ?? null
  return (
    <>
      <PageHeader
        title="Findings"
        sub={
          counts === undefined || readAt === null ? undefined : (
            <>
              {openText(counts)} open, last checked <RoundNote readAt={readAt} />
            </>
          )
        }
      />
      <LoadProblem query={query} what="The findings" />
      {isPending && error === null ? <Loading /> : null}
      {data === undefined ? null : (
        <List
          pages={data.pages}
          question={question}
          readAt={readAt}
          onMore={query.hasNextPage ? () => void query.fetchNextPage() : null}
        />
      )}
    </>
  )
}

const countOf = (list: FindingList, state: FindingList['findings'][number]['state']): number =>
  list.facets?.state.find(({ value }) => value === state)?.count ?? 0

const List = ({
  pages,
  question,
  readAt,
  onMore,
}: {
  pages: readonly FindingList[]
  question: FindingQuestion
  readAt: string | null
  /** Loads the next page; null: the loaded pages have none. */
  onMore: (() => void) | null
}) => {
  const [filter, setParams] = useQueryStates(findingSearchParams)
  const { columns, menu } = useColumns(FINDING_COLUMNS)
  const [first] = pages
  if (first === undefined) return null
  const { isRead, total, facets, moreClosed } = first
  const findings = pages.flatMap((page) => page.findings)
  const isEverything = !isNarrowed(filter) && filter.state.length === 0
  if (!isRead && total === 0 && isEverything)
    return <NotReadYet source="Findings compare the data of the hosts with Placement, Nova and Keystone." />
  const download = async () => {
    const all = await findingPages.readAll({ ...question, sort: 'urgency' })
    const rows = groupFindings(all.flatMap((page) => page.findings)).flatMap((group) => group.findings)
    await downloadRows({ cloud: first.cloud, what: 'findings', columns: FINDING_COLUMNS, rows })
  }
  const isQuiet = isRead && total === 0 && isEverything
  return (
    <>
      <StaleBanner />
      {facets === null ? null : (
        <FindingTools facets={facets} filter={filter} onExport={() => void download()} menu={menu} />
      )}
      <PrintedFilter filter={filter} shown={findings.length} of={total} />
      <p className="sr-only" role="status">
        {isNarrowed(filter) ? `${formatNoun(total, 'finding')} shown` : ''}
      </p>
      {isQuiet ? (
        <NothingFound
          readAt={readAt}
          acknowledged={countOf(first, 'acknowledged')}
          closed={countOf(first, 'closed') + moreClosed}
        />
      ) : null}
      {total === 0 && !isQuiet ? <NoMatch /> : null}
      {total === 0 ? null : (
        <FindingTable
          columns={columns}
          kinds={first.kinds}
          findings={findings}
          onMore={onMore ?? ((code) => void setParams({ code: [code] }, { history: 'push' }))}
        />
      )}
      {moreClosed > 0 && filter.state.includes('closed') ? (
        <p className="mt-2 text-ink3 text-small">
          {formatNoun(moreClosed, 'older finding')} closed earlier {moreClosed === 1 ? 'is' : 'are'} not
          listed.
        </p>
      ) : null}
    </>
  )
}

'use client'

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useQueryStates } from 'nuqs'
import { NotReadYet } from '@/components/cloud/not-read-yet'
import { SETTLED_MS, useSettled } from '@/components/gpus/use-settled'
import { LoadProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { useServerNow } from '@/components/shell/use-server-now'
import { downloadRows } from '@/components/table/download-rows'
import { useColumns } from '@/components/table/use-columns'
import { Button } from '@/components/ui/button'
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { Tag } from '@/components/ui/tag'
import { findingCountsOptions } from '@/lib/api/finding-counts'
import type { FindingQuestion } from '@/lib/api/finding-keys'
import { findingPages } from '@/lib/api/findings'
import { type FindingFilter, isNarrowed } from '@/lib/domain/finding-list/filter-findings'
import { SOURCE_TO_CORRECT_LABELS } from '@/lib/domain/finding-list/finding-labels'
import { groupFindings } from '@/lib/domain/finding-list/group-findings'
import type { FindingList } from '@/lib/schemas/api/finding'
import type { FindingCounts } from '@/lib/schemas/api/finding-counts'
import { formatCount, formatNoun } from '@/lib/util/format'
import { FINDING_COLUMNS } from './finding-columns'
import { chosenStates, findingQuestion } from './finding-question'
import { findingSearchParams, NO_FILTER } from './finding-search-params'
import { FindingTable } from './finding-table'
import { FindingTools } from './finding-tools'

/** Rarely shown. */
const StaleBanner = dynamic(() =>
  import('@/components/cloud/stale-banner').then((module) => module.StaleBanner),
)
/** Most clouds have none. */
const MutedKinds = dynamic(() => import('./muted-kinds').then((module) => module.MutedKinds), { ssr: false })

/** Several rounds have been missed by then. */
const OLD_SECONDS = 600

/** `14:03:22, 12 s ago`, and a warning if OpenStack has not been read for too long. */
const RoundNote = ({ readAt }: { readAt: string }) => {
  const now = useServerNow()
  if (now === null) return <time dateTime={readAt}>in the last reading round</time>
  const seconds = (now - Date.parse(readAt)) / 1000
  return (
    <>
      <Moment at={readAt} />
      {seconds > OLD_SECONDS ? (
        <Tag tone="warn" className="ml-1.5">
          outdated: OpenStack is not being read
        </Tag>
      ) : null}
    </>
  )
}

/** No open findings. Shows the time of the last round, and the number of other findings. */
const NothingFound = ({
  readAt,
  acknowledged,
  muted,
  closed,
}: {
  /** Null: still loading. */
  readAt: string | null
  acknowledged: number
  muted: number
  closed: number
}) => {
  const [, setParams] = useQueryStates(findingSearchParams)
  const others = [
    acknowledged === 0
      ? null
      : formatNoun(acknowledged, 'finding is acknowledged', 'findings are acknowledged'),
    muted === 0 ? null : formatNoun(muted, 'finding is muted', 'findings are muted'),
    closed === 0 ? null : formatNoun(closed, 'finding is resolved', 'findings are resolved'),
  ].filter((part) => part !== null)
  return (
    <EmptyState
      title={acknowledged + muted === 0 ? 'Nothing found' : 'Nothing open'}
      action={
        others.length === 0 ? undefined : (
          <Button onClick={() => void setParams({ state: ['acknowledged', 'muted', 'closed'] })}>
            Show all findings
          </Button>
        )
      }
    >
      {acknowledged + muted === 0
        ? 'No disagreements or risks were found'
        : 'All findings are acknowledged or muted'}
      {readAt === null ? '' : ', last checked '}
      {readAt === null ? null : <RoundNote readAt={readAt} />}.
      {others.length === 0 ? '' : ` ${others.join(', ')}.`}
    </EmptyState>
  )
}

const NoMatch = () => {
  const [, setParams] = useQueryStates(findingSearchParams)
  return (
    <EmptyState
      title="No finding matches the filter"
      action={<Button onClick={() => void setParams(NO_FILTER)}>Clear the filter</Button>}
    >
      Every word must match the title, the kind, the subject, the source to correct or the note.
    </EmptyState>
  )
}

const part = (name: string, values: readonly string[]): string | null =>
  values.length === 0 ? null : `${name} ${values.join(', ')}`

/** On paper the filter's controls are gone, so its words say what is shown. */
const PrintedFilter = ({ filter, shown, of }: { filter: FindingFilter; shown: number; of: number }) => (
  <p className="mb-2 hidden text-ink2 print:block">
    Filter:{' '}
    {[
      part('state', chosenStates(filter.state)),
      filter.q === '' ? null : `text “${filter.q}”`,
      part('severity', filter.severity),
      part('kind', filter.code),
      part('host', filter.host),
      part(
        'source to correct',
        filter.sourceToCorrect.map((source) => SOURCE_TO_CORRECT_LABELS[source]),
      ),
    ]
      .filter((text) => text !== null)
      .join('; ')}
    . {formatNoun(shown, 'finding')} of {of}
    {shown < of ? '; the CSV has all of them' : ''}.
  </p>
)

const Loading = () => (
  <div role="status" aria-label="Loading the findings">
    <div className="mb-2.5 flex gap-2">
      <Skeleton className="h-7 w-[210px]" />
      <Skeleton className="h-7 w-64" />
      <Skeleton className="h-7 w-52" />
    </div>
    <SkeletonRows rows={14} label="Loading the rows" />
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
      <MutedKinds />
      <PrintedFilter filter={filter} shown={findings.length} of={total} />
      <p className="sr-only" role="status">
        {isNarrowed(filter) ? `${formatNoun(total, 'finding')} shown` : ''}
      </p>
      {isQuiet ? (
        <NothingFound
          readAt={readAt}
          acknowledged={countOf(first, 'acknowledged')}
          muted={countOf(first, 'muted')}
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

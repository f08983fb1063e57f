'use client'

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import { useState } from 'react'
import { PlanLink } from '@/components/change/plan-link'
import { NotReadYet } from '@/components/cloud/not-read-yet'
import { StaleBanner } from '@/components/cloud/stale-banner'
import { SETTLED_MS, useSettled } from '@/components/gpus/use-settled'
import { LoadProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { TimedText } from '@/components/shell/timed-text'
import { useCloud } from '@/components/shell/use-cloud'
import { DataTable } from '@/components/table/data-table'
import { useColumns } from '@/components/table/use-columns'
import { Button, buttonStyle } from '@/components/ui/button'
import { MoreRows } from '@/components/ui/more-rows'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { type QuotaQuestion, quotaPages } from '@/lib/api/quotas'
import { requestCountOptions } from '@/lib/api/request-counts'
import { actorLabel } from '@/lib/domain/wording'
import type { QuotaList, QuotaRow } from '@/lib/schemas/api/quota'
import { classNames } from '@/lib/util/class-names'
import { formatNoun } from '@/lib/util/format'
import { limitSetUpPath, newLimitsPath, quotaRequestsPath } from '@/lib/util/paths'
import { AliasPanel } from './alias-panel'
import { ClassTable } from './class-table'
import { QUOTA_COLUMNS, quotaLines } from './quota-columns'
import { quotaQuestion } from './quota-question'
import { quotaSearchParams } from './quota-search-params'
import { CLEAR, QuotaTools } from './quota-tools'

/** Not needed for the first paint. */
const SmallHistory = dynamic(() =>
  import('@/components/capacity/small-history').then((module) => module.SmallHistory),
)
const RefusedPanel = dynamic(() =>
  import('@/components/demand/refused-panel').then((module) => module.RefusedPanel),
)

const rowKey = ({ resourceName, projectId }: QuotaRow): string => `${resourceName} ${projectId}`

/** What can be done with the chosen rows. */
const ChosenBar = ({ rows, onClear }: { rows: readonly QuotaRow[]; onClear: () => void }) => {
  const { cloud } = useCloud()
  if (rows.length === 0) return null
  return (
    <section
      aria-label="Selected limits"
      className="sticky bottom-3 z-10 mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-panel border border-accent bg-panel px-3.5 py-2 shadow-float print:hidden"
    >
      <p className="font-[550]">{formatNoun(rows.length, 'limit')} selected</p>
      <PlanLink href={newLimitsPath({ cloud, limits: rows })} variant="main">
        Change limits
      </PlanLink>
      <Button variant="ghost" onClick={onClear}>
        Clear
      </Button>
    </section>
  )
}

type Table = NonNullable<QuotaList['table']>

/** Limits may exist in Keystone while Nova uses its own quotas: no API reports which. */
const NoSign = ({ driverAnswer }: Pick<QuotaList, 'driverAnswer'>) => (
  <p className="mb-3 max-w-[100ch] text-ink2">
    {driverAnswer === null ? (
      <>
        <strong className="font-semibold text-warn">Nova may not use these limits:</strong> no agent reports
        the unified limits driver for nova-api.
      </>
    ) : (
      <>
        <strong className="font-semibold text-warn">Nova does not use these limits,</strong> as{' '}
        {actorLabel(driverAnswer.by)} answered <Moment at={driverAnswer.at} />.
      </>
    )}{' '}
    Until unified limits are set up, Nova uses its own quotas for servers, CPUs and memory, and none for GPUs.
  </p>
)

const Gap = ({ gap, readAt }: Pick<QuotaList, 'gap' | 'readAt'>) =>
  gap === null ? null : (
    <p className="mb-3 text-ink2">
      <strong className="font-semibold text-warn">The table may be outdated or incomplete:</strong>{' '}
      <TimedText text={gap.replace(/\.$/, '')} />.
      {readAt === null ? null : (
        <>
          {' '}
          Last read <Moment at={readAt} />.
        </>
      )}
    </p>
  )

const Counting = ({ uncountedProjects: count }: Pick<QuotaList, 'uncountedProjects'>) =>
  count === 0 ? null : (
    <p className="mb-3 text-ink2" role="status">
      The use of {formatNoun(count, 'project')} is still being read from Placement.
    </p>
  )

const useChosen = () => {
  const [chosen, setChosen] = useState<ReadonlyMap<string, QuotaRow>>(new Map())
  const choose = (row: QuotaRow, isChosen: boolean) => {
    const next = new Map(chosen)
    if (isChosen) next.set(rowKey(row), row)
    else next.delete(rowKey(row))
    setChosen(next)
  }
  return { chosen, choose, clear: () => setChosen(new Map()) }
}

type Listed = { pages: readonly QuotaList[]; question: QuotaQuestion; onMore: (() => void) | null }

const List = ({ data, table, pages, question, onMore }: Listed & { data: QuotaList; table: Table }) => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(quotaSearchParams)
  const { chosen, choose, clear } = useChosen()
  const { columns, menu } = useColumns(QUOTA_COLUMNS)
  const isChosen = (row: QuotaRow) => chosen.has(rowKey(row))
  const isOpen = (row: QuotaRow) => params.history === rowKey(row)
  const shown = pages.flatMap((page) => page.table?.rows ?? [])
  return (
    <>
      <ClassTable classes={table.classes.filter(({ isGpu }) => isGpu || params.all)} cloud={cloud} />
      <QuotaTools data={data} table={table} question={question} menu={menu} />
      <p className="sr-only" role="status">
        {formatNoun(data.total, 'limit')} shown
      </p>
      {shown.length === 0 ? (
        <EmptyState
          title="No limit matches the filter"
          action={<Button onClick={() => void setParams(CLEAR)}>Clear the filter</Button>}
        >
          Every word must match the project name, its ID or the resource class. Use “Include unused” to show
          classes that a project does not use.
        </EmptyState>
      ) : (
        <>
          <DataTable
            label="Limits of projects"
            columns={columns}
            rows={quotaLines({ classes: table.classes, rows: shown })}
            rowKey={(row) => rowKey(row).replace(' ', '-')}
            rowClass={(row) => classNames('align-baseline', isChosen(row) && 'bg-sel')}
            context={{
              isChosen,
              onChoose: choose,
              isOpen,
              onOpen: (row, isNowOpen) => void setParams({ history: isNowOpen ? rowKey(row) : null }),
            }}
            sorting={{ sort: params.sort, desc: params.desc, set: setParams }}
            detail={(row) => {
              const of = { by: 'project', key: row.projectId } as const
              return isOpen(row) ? (
                <>
                  <SmallHistory cloud={cloud} of={of} />
                  <RefusedPanel cloud={cloud} of={of} className="mt-2" />
                </>
              ) : null
            }}
          />
          <MoreRows shown={shown.length} total={data.total} onMore={onMore} />
          <ChosenBar rows={[...chosen.values()]} onClear={clear} />
        </>
      )}
      <AliasPanel aliases={data.aliases} />
      <p className="mt-2 text-ink3 text-small">
        Limits read <Moment at={data.readAt} />.
      </p>
    </>
  )
}

const Body = (listed: Listed) => {
  const [data] = listed.pages
  if (data === undefined) return null
  if (!data.isRead) return <NotReadYet source="Limits come from Keystone, and usage comes from Placement." />
  return (
    <>
      <StaleBanner />
      {data.table === null ? (
        <EmptyState title="The limits are unknown">{data.because}.</EmptyState>
      ) : (
        <>
          {data.hasSign ? null : <NoSign driverAnswer={data.driverAnswer} />}
          <Gap gap={data.gap} readAt={data.readAt} />
          <Counting uncountedProjects={data.uncountedProjects} />
          <List data={data} table={data.table} {...listed} />
        </>
      )}
    </>
  )
}

/** The link to the requests of projects, with the number of open ones. */
const RequestsLink = ({ cloud }: { cloud: string | null }) => {
  const { data } = useQuery(requestCountOptions({ cloud }))
  const open = data?.counts.open ?? 0
  return (
    <Link
      href={quotaRequestsPath({ cloud })}
      prefetch={false}
      className={buttonStyle()}
      {...(open === 0 ? {} : { 'aria-label': `Requests, ${open} to review` })}
    >
      Requests {open === 0 ? null : <b className="font-semibold text-warn tabular-nums">{open}</b>}
    </Link>
  )
}

/** The limit and use of each project for each resource class, and its share of the hardware. */
export const QuotasPage = () => {
  const { cloud } = useCloud()
  const [params] = useQueryStates(quotaSearchParams)
  const q = useSettled(params.q, SETTLED_MS)
  const question = quotaQuestion(cloud, { ...params, q })
  const query = useInfiniteQuery(quotaPages.options(question))
  const { error, isPending } = query
  const data = query.data?.pages[0]
  return (
    <>
      <PageHeader
        title="Quotas"
        sub={
          data === undefined || data.table === null ? undefined : (
            <>
              {data.region === null ? 'no region' : `region ${data.region}`}, counted{' '}
              <Moment at={data.countedAt} />
            </>
          )
        }
        actions={
          <>
            <RequestsLink cloud={cloud} />
            <Link href={limitSetUpPath({ cloud })} prefetch={false} className={buttonStyle()}>
              Set up unified limits
            </Link>
          </>
        }
      />
      <LoadProblem query={query} what="The quotas" />
      {isPending && error === null ? <SkeletonRows rows={10} label="Loading the quotas" /> : null}
      {query.data === undefined ? null : (
        <Body
          pages={query.data.pages}
          question={question}
          onMore={query.hasNextPage ? () => void query.fetchNextPage() : null}
        />
      )}
    </>
  )
}

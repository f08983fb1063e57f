'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import type { ReactNode } from 'react'
import { StaleBanner } from '@/components/cloud/stale-banner'
import { SETTLED_MS, useSettled } from '@/components/gpus/use-settled'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { TimedText } from '@/components/shell/timed-text'
import { useCloud } from '@/components/shell/use-cloud'
import { DataTable } from '@/components/table/data-table'
import { downloadRows } from '@/components/table/download-rows'
import { listSearchParams } from '@/components/table/list-search-params'
import { useColumns } from '@/components/table/use-columns'
import { Button, buttonStyle } from '@/components/ui/button'
import { ClearButton } from '@/components/ui/clear-button'
import { CsvButton } from '@/components/ui/csv-button'
import { MoreRows } from '@/components/ui/more-rows'
import { SkeletonRows } from '@/components/ui/skeleton'
import { StateChips } from '@/components/ui/state-chips'
import { EmptyState } from '@/components/ui/states'
import { FilterInput, Toolbar } from '@/components/ui/toolbar'
import { gpuServerPages } from '@/lib/api/gpu-servers'
import type { GpuServerList } from '@/lib/schemas/api/gpu-server'
import { listQuestion } from '@/lib/schemas/api/list-query'
import { GPU_SERVER_LIST } from '@/lib/schemas/choices'
import { classNames } from '@/lib/util/class-names'
import { formatCount, formatNoun } from '@/lib/util/format'
import { agentSettingsPath } from '@/lib/util/paths'
import { GPU_SERVER_COLUMNS } from './gpu-server-columns'

const searchParams = listSearchParams(GPU_SERVER_LIST)
const CLEAR = { q: null, state: null } as const

const FirstUse = () => {
  const { cloud } = useCloud()
  return (
    <EmptyState
      title="No host reports yet"
      action={
        <Link href={agentSettingsPath({ cloud })} className={buttonStyle({ variant: 'main' })}>
          Add host
        </Link>
      }
    >
      Servers are listed here after the agents of their hosts have reported them.
    </EmptyState>
  )
}

type HostGap = GpuServerList['hostGaps'][number]

const gapText = ({ kind, count }: HostGap): string =>
  ({
    silent: `${formatNoun(count, 'host does', 'hosts do')} not report: the servers there are the last known ones`,
    absent: `${formatNoun(count, 'host has', 'hosts have')} no agent: only Placement reports the GPUs of the servers there`,
    unread: `On ${formatNoun(count, 'host')} not all guests could be read: servers may be missing`,
  })[kind]

/** What is unknown or outdated. */
const Gaps = ({ novaGap, hostGaps }: Pick<GpuServerList, 'novaGap' | 'hostGaps'>) =>
  novaGap === null && hostGaps.length === 0 ? null : (
    <ul aria-label="Unknown or outdated" className="mb-3 text-ink2">
      {novaGap === null ? null : (
        <li>
          <strong className="font-semibold text-warn">
            Status and creation time may be unknown or outdated:
          </strong>{' '}
          <TimedText text={novaGap} />.
        </li>
      )}
      {hostGaps.map((gap) => (
        <li key={gap.kind}>
          {gapText(gap)} ({gap.examples.join(', ')}
          {gap.count > gap.examples.length ? ', …' : ''}).
        </li>
      ))}
    </ul>
  )

const Tools = ({
  counts,
  onExport,
  menu,
}: Pick<GpuServerList, 'counts'> & { onExport: () => void; menu: ReactNode }) => {
  const [params, setParams] = useQueryStates(searchParams)
  return (
    <Toolbar>
      <FilterInput
        className="sm:w-[280px]"
        label="Filter by server, project, flavor, host, GPU"
        value={params.q}
        onChange={(q) => void setParams({ q })}
      />
      <StateChips
        chosen={params.state}
        states={[
          { state: 'vgpu', word: 'vGPU', count: counts.vgpu },
          { state: 'passthrough', word: 'Passthrough', count: counts.passthrough },
          { state: 'silent', word: 'Host does not report', count: counts.silent },
          { state: 'unknown', word: 'GPU unknown', count: counts.unknown },
        ]}
        onChoose={(state) => void setParams({ state })}
      />
      {params.q === '' && params.state === null ? null : (
        <ClearButton onClear={() => void setParams(CLEAR)} />
      )}
      <CsvButton onDownload={onExport}>{menu}</CsvButton>
    </Toolbar>
  )
}

type Listed = { pages: readonly GpuServerList[]; onMore: (() => void) | null; onExport: () => void }

const List = ({ pages, onMore, onExport }: Listed) => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(searchParams)
  const { columns, menu } = useColumns(GPU_SERVER_COLUMNS)
  const [data] = pages
  if (data === undefined) return null
  const { counts, total, novaGap, hostGaps, readAt, hostCount } = data
  if (counts.all === 0 && hostCount === 0 && readAt === null) return <FirstUse />
  const servers = pages.flatMap((page) => page.servers)
  const isNarrowed = params.q !== '' || params.state !== null
  return (
    <>
      <StaleBanner />
      <Gaps novaGap={novaGap} hostGaps={hostGaps} />
      {counts.all === 0 ? (
        <EmptyState title="No server has a GPU">
          Servers with a vGPU or a GPU in passthrough are listed here as soon as a host or Placement reports
          them.
        </EmptyState>
      ) : (
        <>
          <Tools counts={counts} onExport={onExport} menu={menu} />
          <p className="sr-only" role="status">
            {isNarrowed ? `${formatCount(total)} of ${formatNoun(counts.all, 'server')} found` : ''}
          </p>
          {servers.length === 0 ? (
            <EmptyState
              title="No server matches the filter"
              action={<Button onClick={() => void setParams(CLEAR)}>Clear the filter</Button>}
            >
              Every word must match the name, uuid, status, project, flavor, host, GPU or vGPU type.
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="Servers with a GPU"
                columns={columns}
                rows={servers}
                rowKey={({ uuid }) => uuid}
                rowClass={({ hostState }) =>
                  classNames('align-baseline', hostState === 'silent' && 'text-ink3')
                }
                context={{ cloud, novaReason: readAt === null ? novaGap : null }}
                sorting={{ sort: params.sort, desc: params.desc, set: setParams }}
              />
              <MoreRows shown={servers.length} total={total} onMore={onMore} />
            </>
          )}
        </>
      )}
    </>
  )
}

/** All servers that have a vGPU or a GPU in passthrough. */
export const GpuServersPage = () => {
  const { cloud } = useCloud()
  const [params] = useQueryStates(searchParams)
  const q = useSettled(params.q, SETTLED_MS)
  const question = listQuestion(cloud, { ...params, q })
  const query = useInfiniteQuery(gpuServerPages.options(question))
  const { data, error, isPending } = query
  const first = data?.pages[0]
  const download = async (name: string) => {
    const pages = await gpuServerPages.readAll(question)
    const rows = pages.flatMap((page) => page.servers)
    await downloadRows({ cloud: name, what: 'servers', columns: GPU_SERVER_COLUMNS, rows })
  }
  return (
    <>
      <PageHeader
        title="Servers"
        sub={first === undefined ? undefined : `${formatNoun(first.counts.all, 'server')} with a GPU`}
      />
      <LoadProblem query={query} what="The servers" />
      {isPending && error === null ? <SkeletonRows rows={12} label="Loading the servers" /> : null}
      {data === undefined || first === undefined ? null : (
        <List
          pages={data.pages}
          onMore={query.hasNextPage ? () => void query.fetchNextPage() : null}
          onExport={() => void download(first.cloud)}
        />
      )}
    </>
  )
}

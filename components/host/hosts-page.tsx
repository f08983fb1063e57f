'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { StaleBanner } from '@/components/cloud/stale-banner'
import { LastKnownNote } from '@/components/gpu/last-known-note'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { DataTable } from '@/components/table/data-table'
import { downloadRows } from '@/components/table/download-rows'
import { listSearchParams } from '@/components/table/list-search-params'
import { useColumns } from '@/components/table/use-columns'
import { useRowNavigation } from '@/components/table/use-row-navigation'
import { Button, buttonStyle } from '@/components/ui/button'
import { ClearButton } from '@/components/ui/clear-button'
import { CsvButton } from '@/components/ui/csv-button'
import { SkeletonRows } from '@/components/ui/skeleton'
import { StateChips } from '@/components/ui/state-chips'
import { EmptyState } from '@/components/ui/states'
import { FilterInput, Toolbar } from '@/components/ui/toolbar'
import { hostListOptions } from '@/lib/api/hosts'
import type { HostList, HostSummary } from '@/lib/schemas/api/host'
import type { FleetTotals } from '@/lib/schemas/api/totals'
import { classNames } from '@/lib/util/class-names'
import { formatCount, formatNoun } from '@/lib/util/format'
import { agentSettingsPath, hostPath } from '@/lib/util/paths'
import { arrangeHosts, HOST_LIST } from './arrange-hosts'
import { HOST_COLUMNS } from './host-columns'
import { HostsNav } from './hosts-nav'

/** Not needed for the first paint. */
const RemovalNotice = dynamic(() => import('./removal-notice').then((module) => module.RemovalNotice), {
  ssr: false,
})

const ROW_HEIGHT = 33

const searchParams = listSearchParams(HOST_LIST)
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
      A host is listed here after its agent has enrolled.
    </EmptyState>
  )
}

/** Apart from the filters, since it is drawn again while the list is scrolled. */
const Rows = ({ hosts, columns }: { hosts: readonly HostSummary[]; columns: typeof HOST_COLUMNS }) => {
  const { cloud } = useCloud()
  const [{ sort, desc }, set] = useQueryStates(searchParams)
  const navigation = useRowNavigation({
    rows: hosts,
    path: ({ name }) => hostPath({ cloud, host: name }),
    rowHeight: ROW_HEIGHT,
  })
  return (
    <DataTable
      label="Hosts"
      columns={columns}
      rows={hosts}
      context={{ cloud }}
      rowKey={({ name }) => name}
      rowClass={({ isSilent }) => classNames('h-8', isSilent && 'text-ink3')}
      sorting={{ sort, desc, set }}
      navigation={navigation}
    />
  )
}

const List = ({ data }: { data: HostList }) => {
  const { columns, menu } = useColumns(HOST_COLUMNS)
  const [params, setParams] = useQueryStates(searchParams)
  const shown = useMemo(() => arrangeHosts(data.hosts, params), [data.hosts, params])
  const isNarrowed = params.q !== '' || params.state !== null
  const download = () =>
    void downloadRows({ cloud: data.cloud, what: 'hosts', columns: HOST_COLUMNS, rows: shown })
  return (
    <>
      <Toolbar>
        <FilterInput
          className="sm:w-[250px]"
          label="Filter by host, model, version"
          value={params.q}
          onChange={(q) => void setParams({ q })}
        />
        <StateChips
          chosen={params.state}
          states={[
            { state: 'silent', word: 'Silent', count: data.hosts.filter((host) => host.isSilent).length },
            {
              state: 'problems',
              word: 'With problems',
              count: data.hosts.filter((host) => host.problemCount > 0).length,
            },
          ]}
          onChoose={(state) => void setParams({ state })}
        />
        {isNarrowed ? <ClearButton onClear={() => void setParams(CLEAR)} /> : null}
        <CsvButton onDownload={download}>{menu}</CsvButton>
      </Toolbar>
      <LastKnownNote lastKnown={data.totals.lastKnown} total="vGPUs" />
      <LastKnownNote lastKnown={data.passthrough.lastKnown} total="passthrough GPUs" />
      <p className="sr-only" role="status">
        {isNarrowed ? `${shown.length} of ${formatNoun(data.hosts.length, 'host')} shown` : ''}
      </p>
      {shown.length === 0 ? (
        <EmptyState
          title="No host matches the filter"
          action={<Button onClick={() => void setParams(CLEAR)}>Clear the filter</Button>}
        >
          Every word must match the host name, a model or a version.
        </EmptyState>
      ) : (
        <Rows hosts={shown} columns={columns} />
      )}
    </>
  )
}

/** `400 of 559 vGPUs in use`; null: no such GPUs, or not known. */
const inUseNote = ({ pgpus, used, capacity }: FleetTotals, unit: string): string | null =>
  pgpus === 0 || used === null || capacity === null
    ? null
    : `${formatCount(used)} of ${formatNoun(capacity, unit)} in use`

/** `24 hosts, 400 of 559 vGPUs in use, 6 of 8 passthrough GPUs in use`. Short enough for one line. */
const hostsSub = ({ hosts, totals, passthrough }: HostList): string =>
  [formatNoun(hosts.length, 'host'), inUseNote(totals, 'vGPU'), inUseNote(passthrough, 'passthrough GPU')]
    .filter((part) => part !== null)
    .join(', ')

/** Every host that an agent reports from. */
export const HostsPage = () => {
  const { cloud } = useCloud()
  const query = useQuery(hostListOptions({ cloud }))
  const { data, error, isPending } = query
  return (
    <>
      <PageHeader title="Hosts" sub={data === undefined ? undefined : hostsSub(data)} />
      <HostsNav />
      <StaleBanner />
      <RemovalNotice />
      <LoadProblem query={query} what="The hosts" />
      {isPending && error === null ? <SkeletonRows rows={14} label="Loading the hosts" /> : null}
      {data?.hosts.length === 0 ? <FirstUse /> : null}
      {data === undefined || data.hosts.length === 0 ? null : <List data={data} />}
    </>
  )
}

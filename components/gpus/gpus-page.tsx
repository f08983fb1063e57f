'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { preload } from 'react-dom'
import { StaleBanner } from '@/components/cloud/stale-banner'
import { CellLegend } from '@/components/gpu/cell-legend'
import { GpuTotals, orphanNote, strandedFigure } from '@/components/gpu/gpu-totals'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { Button, buttonStyle } from '@/components/ui/button'
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { gpuListOptions } from '@/lib/api/gpus'
import type { FirstGpus } from '@/lib/domain/gpu-list/first-list'
import { entryAt, type GpuStore, isCloudRead } from '@/lib/domain/gpu-list/gpu-store'
import { MOST_CHANGE_GPUS } from '@/lib/schemas/api/change-limits'
import { formatNoun } from '@/lib/util/format'
import { agentSettingsPath, apiPaths, newOrphansPath, newTraitsPath, newTypePath } from '@/lib/util/paths'
import { NO_FILTER } from './gpu-params'
import { gpuSearchParams } from './gpu-search-params'
import { GpuTable } from './gpu-table'
import { GpuTools, type Tagging } from './gpu-tools'
import { gpusSub } from './gpus-sub'
import { PrintedFilter } from './printed-filter'
import { selectedAmong } from './selection'
import { type GpuView, useGpuView } from './use-gpu-view'
import { useSelection } from './use-selection'

const FirstUse = () => {
  const { cloud } = useCloud()
  return (
    <EmptyState
      title="No pGPU is known yet"
      action={
        <Link href={agentSettingsPath({ cloud })} className={buttonStyle({ variant: 'main' })}>
          Add a host
        </Link>
      }
    >
      A host’s GPUs appear here with its agent’s first report. A host that reports without GPUs stands under
      Hosts.
    </EmptyState>
  )
}

const NoMatch = ({ isAsking }: { isAsking: boolean }) => {
  const [, setParams] = useQueryStates(gpuSearchParams)
  return (
    <EmptyState
      title="No pGPU matches the filter"
      action={<Button onClick={() => void setParams(NO_FILTER)}>Clear the filter</Button>}
    >
      {isAsking
        ? 'Looking for servers with that name.'
        : 'Every word must stand in the host, the PCI address, the model, the type or an aggregate, or in the name of a server.'}
    </EmptyState>
  )
}

const Loading = () => (
  <div role="status" aria-label="Loading the pGPUs">
    <Skeleton className="mb-3.5 h-[86px] rounded-panel" />
    <div className="mb-2.5 flex gap-2">
      <Skeleton className="h-7 w-[250px]" />
      <Skeleton className="h-7 w-24" />
      <Skeleton className="h-7 w-24" />
    </div>
    <SkeletonRows rows={16} label="Rows on their way" />
    <CellLegend />
  </div>
)

export const GpusPage = ({
  first,
}: {
  /** What the page draws until the list has come; null: it could not be had. */
  first: FirstGpus | null
}) => {
  const { cloud } = useCloud()
  const { data: whole = null, error, isPending, isFetching, refetch } = useQuery(gpuListOptions({ cloud }))
  // The list is asked for while the scripts are still on their way.
  if (isPending) preload(apiPaths.gpus({ cloud }), { as: 'fetch', crossOrigin: 'anonymous' })
  const view = useGpuView({ whole, first })
  const count = whole?.count ?? first?.count
  const hosts = whole?.data.hosts.length ?? first?.hosts
  return (
    <>
      <PageHeader
        title="GPUs"
        sub={
          count === undefined
            ? undefined
            : gpusSub({
                pgpus: count,
                hosts: hosts ?? 0,
                isCloudRead: view === null || isCloudRead(view.store),
              })
        }
      />
      <StaleBanner />
      <LoadProblem query={{ data: view ?? undefined, error, isFetching, refetch }} what="The pGPUs" />
      {view === null && error === null ? <Loading /> : null}
      {count === 0 ? <FirstUse /> : null}
      {view === null || count === 0 ? null : <GpuList view={view} />}
    </>
  )
}

const taggingOf = (store: GpuStore, rows: Int32Array, cloud: string | null): Tagging => {
  if (rows.length === 0)
    return {
      path: null,
      typePath: null,
      orphansPath: null,
      refusal: 'Select the pGPUs first.',
    }
  if (rows.length > MOST_CHANGE_GPUS)
    return {
      path: null,
      typePath: null,
      orphansPath: null,
      refusal: `One change takes at most ${MOST_CHANGE_GPUS} pGPUs: select fewer.`,
    }
  const { data, columns } = store
  const gpus = Array.from(rows, (row) => ({
    host: entryAt(data.hosts, columns.hostIndex, row) ?? '',
    address: entryAt(data.addresses, columns.addressIndex, row) ?? '',
  }))
  return {
    path: newTraitsPath({ cloud, gpus }),
    typePath: newTypePath({ cloud, gpus }),
    orphansPath: newOrphansPath({ cloud, gpus }),
    refusal: null,
  }
}

const GpuList = ({ view }: { view: GpuView }) => {
  const { cloud } = useCloud()
  const { store, rows, sums, silentHosts, isAskingForServers, isWhole } = view
  const selection = useSelection(store)
  const chosen = useMemo(() => selectedAmong(selection.selected, rows), [selection, rows])
  const tagging = useMemo(() => taggingOf(store, chosen, cloud), [store, chosen, cloud])
  const download = () =>
    void import('./download-gpus').then(({ downloadGpus }) =>
      downloadGpus(store, chosen.length > 0 ? chosen : rows, { silentHosts }),
    )
  return (
    <>
      <GpuTotals
        label="Totals of the pGPUs shown"
        totals={sums}
        wholeCards={sums.wholeCards}
        orphanNote={orphanNote(sums.pgpusWithOrphans)}
        stranded={isCloudRead(store) ? strandedFigure(sums) : undefined}
        unknownNote={sums.silent === 0 ? undefined : `pGPUs, ${sums.silent} on silent hosts`}
      />
      <GpuTools
        store={store}
        selected={chosen.length}
        onClear={selection.clear}
        onExport={isWhole ? download : null}
        tagging={tagging}
      />
      <PrintedFilter shown={rows.length} of={store.count} />
      <p className="sr-only" role="status">
        {rows.length === store.count ? '' : `${rows.length} of ${formatNoun(store.count, 'pGPU')} shown`}
      </p>
      {rows.length === 0 ? (
        <NoMatch isAsking={isAskingForServers} />
      ) : (
        <GpuTable view={view} selection={selection} />
      )}
      <CellLegend />
    </>
  )
}

'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { memo, useCallback, useMemo } from 'react'
import { preload } from 'react-dom'
import { CellLegend } from '@/components/gpu/cell-legend'
import { GpuTotals, orphanNote } from '@/components/gpu/gpu-totals'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { downloadRows } from '@/components/table/download-rows'
import { useColumns } from '@/components/table/use-columns'
import { Button } from '@/components/ui/button'
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { gpuListOptions } from '@/lib/api/gpus'
import type { FirstGpus } from '@/lib/domain/gpu-list/first-list'
import { type GpuStore, isCloudRead } from '@/lib/domain/gpu-list/gpu-store'
import type { GpuSums } from '@/lib/domain/gpu-list/sum-gpus'
import { formatNoun } from '@/lib/util/format'
import { apiPaths } from '@/lib/util/paths'
import { GPU_COLUMNS } from './gpu-columns'
import { NO_FILTER } from './gpu-params'
import { GpuTable } from './gpu-table'
import { GpuTools } from './gpu-tools'
import { LazyGpuDrawer, LazySelectionBar, LazyViewTabs } from './lazy-parts'
import { selectedAmong } from './selection'
import { type GpuParams, type SetGpuParams, useGpuParams } from './use-gpu-params'
import { type GpuView, useGpuView } from './use-gpu-view'
import { useSelection } from './use-selection'
import { useShownGpu } from './use-shown-gpu'

type NoMatchProps = { hasText: boolean; isAsking: boolean; setParams: SetGpuParams }

/** Shown when the filter excludes every pGPU. */
const NoMatch = ({ hasText, isAsking, setParams }: NoMatchProps) => (
  <EmptyState
    title="No pGPU matches the filter"
    action={<Button onClick={() => void setParams(NO_FILTER)}>Clear the filter</Button>}
  >
    {isAsking
      ? 'Searching servers with that name.'
      : hasText
        ? 'Each word must occur in the host, the PCI address, the model, the type or an aggregate, or in the name of a server.'
        : 'A pGPU must match each list above; in each list one choice is enough.'}
  </EmptyState>
)

/** On paper only. */
const PrintedFilter = dynamic(() => import('./printed-filter').then((module) => module.PrintedFilter))

const Totals = memo(({ sums }: { sums: GpuSums }) => (
  <GpuTotals
    label="Totals of the pGPUs shown"
    totals={sums.totals}
    passthrough={sums.passthrough}
    blockedHint={orphanNote(sums.pgpusWithOrphans)}
  />
))

type DrawnProps = { view: GpuView; params: GpuParams; setParams: SetGpuParams }

const Drawn = ({ view, params, setParams }: DrawnProps) => {
  const { store, rows, silentHosts, isAskingForServers, isWhole } = view
  const selection = useSelection(store)
  const chosen = useMemo(() => selectedAmong(selection.selected, rows), [selection, rows])
  const { shown, show, close } = useShownGpu()
  const { columns, menu } = useColumns(GPU_COLUMNS)
  const download = useCallback(
    () =>
      void import('./gpu-csv-rows').then(({ gpuCsvRows }) =>
        downloadRows({
          cloud: store.data.cloud,
          what: 'gpus',
          columns: GPU_COLUMNS,
          rows: gpuCsvRows(store, chosen.length > 0 ? chosen : rows, silentHosts),
        }),
      ),
    [store, chosen, rows, silentHosts],
  )
  return (
    <>
      {/* As high as the tabs, which load after the list. */}
      <div className="mb-2.5 min-h-[33px] print:hidden">
        <LazyViewTabs view={view} />
      </div>
      <Totals sums={view.sums} />
      <div className="gpu-tools">
        <GpuTools
          store={store}
          params={params}
          setParams={setParams}
          columnMenu={menu}
          onExport={isWhole ? download : null}
        />
        {chosen.length === 0 ? null : (
          <LazySelectionBar
            view={view}
            params={params}
            selected={chosen}
            onClear={() => {
              selection.clear()
              // The button is gone.
              document.querySelector<HTMLElement>('.gpu-head .check')?.focus({ preventScroll: true })
            }}
            onExport={isWhole ? download : null}
          />
        )}
      </div>
      <PrintedFilter params={params} shown={rows.length} of={store.count} />
      <p className="sr-only" role="status">
        {rows.length === store.count ? '' : `${rows.length} of ${formatNoun(store.count, 'pGPU')} shown`}
      </p>
      <div className="flex items-start gap-3.5">
        <div className="min-w-0 flex-1">
          {rows.length === 0 ? (
            <NoMatch hasText={params.q.trim() !== ''} isAsking={isAskingForServers} setParams={setParams} />
          ) : (
            <GpuTable
              view={view}
              columns={columns}
              selection={selection}
              sort={params.sort}
              isDescending={params.desc}
              setParams={setParams}
              shown={shown}
              show={show}
            />
          )}
          <CellLegend />
        </div>
        {shown === null ? null : <LazyGpuDrawer shown={shown} view={view} show={show} onClose={close} />}
      </div>
    </>
  )
}

/** The list with its figures and its filter; each part is drawn again only when what it shows has changed. */
const GpuList = ({ whole, first }: { whole: GpuStore | null; first: FirstGpus | null }) => {
  const [params, setParams] = useGpuParams()
  const view = useGpuView({ whole, first, params })
  return view === null ? null : <Drawn view={view} params={params} setParams={setParams} />
}

/** The subheading. Before the first reading of a cloud, Placement's values are missing, not empty. */
export const gpusSub = ({
  pgpus,
  hosts,
  isCloudRead,
}: {
  pgpus: number
  hosts: number
  isCloudRead: boolean
}): string => {
  const sizes = `${formatNoun(pgpus, 'pGPU')} on ${formatNoun(hosts, 'host')}`
  return isCloudRead || pgpus === 0 ? sizes : `${sizes}, no cloud connected`
}

/** Rarely shown. */
const StaleBanner = dynamic(() =>
  import('@/components/cloud/stale-banner').then((module) => module.StaleBanner),
)
const FirstUse = dynamic(() => import('./empty-list').then((module) => module.FirstUse))

const Loading = () => (
  <div role="status" aria-label="Loading the pGPUs">
    <Skeleton className="mb-3.5 h-[86px] rounded-panel" />
    <div className="mb-2.5 flex gap-2">
      <Skeleton className="h-7 w-[250px]" />
      <Skeleton className="h-7 w-24" />
      <Skeleton className="h-7 w-24" />
    </div>
    <SkeletonRows rows={16} label="Loading the rows" />
    <CellLegend />
  </div>
)

/** Nothing here follows the address: a key in the filter draws the list again, and not the page around it. */
export const GpusPage = ({
  first,
}: {
  /** What the page draws until the list has come; null: it could not be had. */
  first: FirstGpus | null
}) => {
  const { cloud } = useCloud()
  const { data: whole = null, error, isPending, isFetching, refetch } = useQuery(gpuListOptions({ cloud }))
  // The request for the list starts while the scripts are still loading.
  if (isPending) preload(apiPaths.gpus({ cloud }), { as: 'fetch', crossOrigin: 'anonymous' })
  const data = whole?.data ?? first?.gpus
  const count = whole?.count ?? first?.count
  return (
    <>
      <PageHeader
        title="GPUs"
        sub={
          data === undefined || count === undefined
            ? undefined
            : gpusSub({
                pgpus: count,
                hosts: whole?.data.hosts.length ?? first?.hosts ?? 0,
                isCloudRead: isCloudRead({ data }),
              })
        }
      />
      <StaleBanner />
      <LoadProblem query={{ data, error, isFetching, refetch }} what="The pGPUs" />
      {data === undefined && error === null ? <Loading /> : null}
      {count === 0 ? <FirstUse /> : null}
      {data === undefined || count === 0 ? null : <GpuList whole={whole} first={first} />}
    </>
  )
}

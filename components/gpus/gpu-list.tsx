'use client'

import dynamic from 'next/dynamic'
import { memo, useCallback, useMemo } from 'react'
import { CellLegend } from '@/components/gpu/cell-legend'
import { GpuTotals, orphanNote } from '@/components/gpu/gpu-totals'
import { useCloud } from '@/components/shell/use-cloud'
import { downloadRows } from '@/components/table/download-rows'
import type { FirstGpus } from '@/lib/domain/gpu-list/first-list'
import type { GpuStore } from '@/lib/domain/gpu-list/gpu-store'
import type { GpuSums } from '@/lib/domain/gpu-list/sum-gpus'
import { formatNoun } from '@/lib/util/format'
import { GPU_COLUMNS } from './gpu-columns'
import { GpuTable } from './gpu-table'
import { GpuTools } from './gpu-tools'
import { NoMatch } from './no-match'
import { selectedAmong } from './selection'
import { taggingOf } from './tagging'
import { type GpuParams, type SetGpuParams, useGpuParams } from './use-gpu-params'
import { type GpuView, useGpuView } from './use-gpu-view'
import { useSelection } from './use-selection'

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
  const { cloud } = useCloud()
  const { store, rows, silentHosts, isAskingForServers, isWhole } = view
  const selection = useSelection(store)
  const chosen = useMemo(() => selectedAmong(selection.selected, rows), [selection, rows])
  const tagging = useMemo(
    () => taggingOf(store, { selected: chosen, shown: rows.length }, { cloud, params }),
    [store, chosen, rows, cloud, params],
  )
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
      <Totals sums={view.sums} />
      <GpuTools
        store={store}
        params={params}
        setParams={setParams}
        selected={chosen.length}
        onClear={selection.clear}
        onExport={isWhole ? download : null}
        tagging={tagging}
      />
      <PrintedFilter params={params} shown={rows.length} of={store.count} />
      <p className="sr-only" role="status">
        {rows.length === store.count ? '' : `${rows.length} of ${formatNoun(store.count, 'pGPU')} shown`}
      </p>
      {rows.length === 0 ? (
        <NoMatch hasWords={params.q.trim() !== ''} isAsking={isAskingForServers} setParams={setParams} />
      ) : (
        <GpuTable
          view={view}
          selection={selection}
          sort={params.sort}
          isDescending={params.desc}
          setParams={setParams}
        />
      )}
      <CellLegend />
    </>
  )
}

/** The list with its figures and its filter; each part is drawn again only when what it shows has changed. */
export const GpuList = ({ whole, first }: { whole: GpuStore | null; first: FirstGpus | null }) => {
  const [params, setParams] = useGpuParams()
  const view = useGpuView({ whole, first, params })
  return view === null ? null : <Drawn view={view} params={params} setParams={setParams} />
}

'use client'

import { memo, useMemo } from 'react'
import { CellPatterns } from '@/components/gpu/cell-patterns'
import type { SortColumn } from '@/lib/domain/gpu-list/arrange-gpus'
import { isCloudRead } from '@/lib/domain/gpu-list/gpu-store'
import { lineCount } from '@/lib/domain/gpu-list/lines'
import { GpuRows } from './gpu-rows'
import { GpuTableHead } from './gpu-table-head'
import { selectedAmong } from './selection'
import type { SetGpuParams } from './use-gpu-params'
import type { GpuView } from './use-gpu-view'
import type { Selection } from './use-selection'

type GpuTableProps = {
  view: GpuView
  selection: Selection
  /** As the address asks: the rows may be behind it for a moment. */
  sort: SortColumn
  isDescending: boolean
  setParams: SetGpuParams
}

const Table = ({ view, selection, sort, isDescending, setParams }: GpuTableProps) => {
  const { rows, isWhole } = view
  const selectedCount = useMemo(() => selectedAmong(selection.selected, rows).length, [selection, rows])
  return (
    <div className="overflow-clip rounded-panel border border-line bg-panel print:overflow-visible">
      <CellPatterns hasOld={view.silentHosts.size > 0} />
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows take keys is a grid
        role="grid"
        aria-label="pGPUs"
        aria-rowcount={lineCount(view) + 1}
        aria-multiselectable
        className={isCloudRead(view.store) ? 'gpu-table gpu-table-cloud' : 'gpu-table'}
      >
        <GpuTableHead
          selectable={isWhole ? rows.length : null}
          selected={selectedCount}
          onSelectAll={(isOn) => selection.set(rows, isOn)}
          isCloudRead={isCloudRead(view.store)}
          sort={sort}
          isDescending={isDescending}
          setParams={setParams}
        />
        <GpuRows view={view} selection={selection} />
      </table>
    </div>
  )
}

/** All pGPUs that the filter lets through, of which the ones in the window are drawn. */
export const GpuTable = memo(Table)

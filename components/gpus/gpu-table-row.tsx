'use client'

import { memo } from 'react'
import { type GpuStore, gpuRowAt, isCloudRead } from '@/lib/domain/gpu-list/gpu-store'
import { classNames } from '@/lib/util/class-names'
import { GpuCells } from './gpu-cells'

type GpuTableRowProps = {
  store: GpuStore
  row: number
  /** Place among the rows shown, and the line, headings counted. */
  place: number
  line: number
  cloud: string | null
  /** False: its names alone, while it is scrolled past. */
  isFull: boolean
  isSelected: boolean
  isTabStop: boolean
  /** Cell of the bar that the keyboard stands on. */
  activeCell: number | null
  /** Undefined: its host is not silent. */
  silentSince: string | null | undefined
}

/** One pGPU. It handles no event itself: the table listens once for all rows, and turns its link into a visit in place. */
export const GpuTableRow = memo(
  ({
    store,
    row,
    place,
    line,
    cloud,
    isFull,
    isSelected,
    isTabStop,
    activeCell,
    silentSince,
  }: GpuTableRowProps) => {
    const gpu = gpuRowAt(store, row)
    return (
      <tr
        data-place={place}
        aria-rowindex={line + 2}
        aria-selected={isSelected}
        tabIndex={isTabStop ? 0 : -1}
        className={classNames('gpu-row', silentSince !== undefined && 'text-ink3')}
      >
        {isFull ? (
          <GpuCells
            gpu={gpu}
            isCloudRead={isCloudRead(store)}
            cloud={cloud}
            isSelected={isSelected}
            activeCell={activeCell}
            silentSince={silentSince}
          />
        ) : (
          <td className="gpu-names" colSpan={8}>
            {gpu.host} {gpu.address}
          </td>
        )}
      </tr>
    )
  },
)

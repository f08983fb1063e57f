'use client'

import { type CSSProperties, memo } from 'react'
import { type GpuStore, gpuRowAt, isCloudRead } from '@/lib/domain/gpu-list/gpu-store'
import { classNames } from '@/lib/util/class-names'
import { GPU_COLUMNS } from './gpu-columns'

type GpuTableRowProps = {
  store: GpuStore
  row: number
  /** Place among the rows shown, and the line, headings counted. */
  place: number
  line: number
  cloud: string | null
  /** Distance from the list's top in pixels; null: on paper, where rows follow each other. */
  top: number | null
  isSelected: boolean
  isTabStop: boolean
  /** Cell of the bar with the keyboard focus. */
  activeCell: number | null
  /** Undefined: its host is not silent. */
  silentSince: string | null | undefined
}

/** Rows are moved, not laid out: one that takes another pGPU's place disturbs none of the others. */
export const standAt = (top: number | null): CSSProperties =>
  top === null ? {} : { transform: `translateY(${top}px)` }

/** One pGPU. It handles no event itself: the table listens once for all rows, and turns its link into a visit in place. */
export const GpuTableRow = memo(
  ({
    store,
    row,
    place,
    line,
    cloud,
    top,
    isSelected,
    isTabStop,
    activeCell,
    silentSince,
  }: GpuTableRowProps) => {
    const gpu = gpuRowAt(store, row)
    const context = { isCloudRead: isCloudRead(store), cloud, isSelected, activeCell, silentSince }
    return (
      <tr
        data-place={place}
        aria-rowindex={line + 2}
        aria-selected={isSelected}
        tabIndex={isTabStop ? 0 : -1}
        style={standAt(top)}
        className={classNames('gpu-row', silentSince !== undefined && 'text-ink3')}
      >
        {GPU_COLUMNS.map(({ id, className, hint, cell }) => {
          const content = cell?.(gpu, context) ?? null
          return content === null ? null : (
            <td
              key={id}
              className={typeof className === 'function' ? className(gpu, context) || undefined : className}
              title={hint?.(gpu)}
            >
              {content}
            </td>
          )
        })}
      </tr>
    )
  },
)

'use client'

import dynamic from 'next/dynamic'
import { type PointerEvent, useRef, useState } from 'react'
import { classNames } from '@/lib/util/class-names'
import { type BarNumbers, barLabel, cellCounts, cellKindAt, cellTotal, rangeLabel } from './bar-cells'
import { BAR_HEIGHT, BAR_WIDTH, barPaths, cellSpan, indexAt } from './bar-paths'

const loadNote = () => import('./cell-note')
const CellNote = dynamic(() => loadNote().then((module) => module.CellNote), { ssr: false })

/** Fetches the code of the notes; a list calls it when it is first pointed at or gets the focus. */
export const prepareCellNotes = (): void => void loadNote()

type VgpuBarProps = {
  host: string
  address: string
  numbers: BarNumbers
  /** Fewest and most vGPUs of the supported types; drawn when there is no type yet. */
  range: readonly [number, number] | null
  /** Why the capacity is unknown. */
  reason: string | null
  /** In passthrough, so it is a card and no vGPU. */
  isWhole?: boolean
  /** The host is silent: the numbers are old. */
  isOld?: boolean
  /** Index of the cell with the keyboard focus; null: none. */
  activeIndex?: number | null
}

const viewBox = `0 0 ${BAR_WIDTH} ${BAR_HEIGHT}`

/** A pGPU as a bar with one cell per vGPU. Hovering or focusing a cell shows its occupant. */
export const VgpuBar = ({
  host,
  address,
  numbers,
  range,
  reason,
  isWhole = false,
  isOld = false,
  activeIndex = null,
}: VgpuBarProps) => {
  const bar = useRef<SVGSVGElement>(null)
  // A row of a list may become that of another pGPU under the pointer.
  const [pointed, setPointed] = useState<{ of: string; index: number } | null>(null)
  const own = `${host} ${address}`
  const counts = cellCounts(numbers)
  if (counts === null) return <NoBar range={range} reason={reason} />
  const cells = cellTotal(counts)
  if (cells === 0) return <NoBar range={null} reason="no vGPU fits" />
  const index = pointed?.of === own ? pointed.index : activeIndex
  const kind = index === null ? null : cellKindAt(counts, index)
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setPointed({ of: own, index: indexAt({ share: (event.clientX - left) / width, cells }) })
  }
  const anchorOf = (at: number, box: DOMRect) => {
    const span = cellSpan({ index: at, cells })
    return {
      left: box.left + span.left * box.width,
      top: box.top,
      width: span.width * box.width,
      height: box.height,
    }
  }
  const box = index === null ? null : (bar.current?.getBoundingClientRect() ?? null)
  return (
    <>
      <svg
        ref={bar}
        role="img"
        aria-label={barLabel(numbers, isWhole)}
        width={BAR_WIDTH}
        height={BAR_HEIGHT}
        viewBox={viewBox}
        preserveAspectRatio="none"
        className={classNames('bar', isOld && 'bar-old')}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setPointed(null)}
      >
        {barPaths(counts).map((path, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row that becomes another pGPU's keeps its outlines' elements
          <path key={at} className={`bar-${path.kind}`} d={path.path} />
        ))}
        {index === null || kind === null ? null : (
          <rect
            className="bar-at"
            x={cellSpan({ index, cells }).left * BAR_WIDTH}
            y="0"
            width={cellSpan({ index, cells }).width * BAR_WIDTH}
            height={BAR_HEIGHT}
            rx="3"
          />
        )}
      </svg>
      {index === null || kind === null || box === null ? null : (
        <CellNote
          host={host}
          address={address}
          index={index}
          kind={kind}
          isWhole={isWhole}
          anchor={anchorOf(index, box)}
        />
      )}
    </>
  )
}

const NoBar = ({ range, reason }: Pick<VgpuBarProps, 'range' | 'reason'>) =>
  range === null ? (
    <span className="text-ink3" title={reason ?? 'The host does not report how many fit.'}>
      – <span className="text-small">{reason ?? 'not reported'}</span>
    </span>
  ) : (
    <span className="inline-flex h-[18px] w-[196px] max-w-full items-center rounded-[3px] border border-edge border-dashed px-1.5 text-ink3 text-tiny">
      {rangeLabel(range)}
    </span>
  )

'use client'

import { type KeyboardEvent, useRef, useState } from 'react'
import { FloatingNote } from '@/components/ui/tooltip'
import type { CellKind } from '@/lib/domain/pgpu/types'
import type { CellDto } from '@/lib/schemas/api/gpu'
import { classNames } from '@/lib/util/class-names'
import { describeCell } from './describe-cell'

const STYLES: Record<CellKind, string> = {
  used: 'cell-used text-on-accent',
  spare: 'cell-spare',
  orphan: 'cell-orphan',
  unknown: 'cell-unknown text-ink3',
  free: 'cell-free text-ink3',
  locked: 'cell-locked',
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/**
 * The cells of one pGPU, large enough for names: arrow keys move between cells, and each shows its occupant. Cells that
 * are too narrow for a name have it in their note and their label.
 */
export const VgpuCells = ({
  cells,
  label,
  isWhole = false,
  isOld = false,
}: {
  cells: readonly CellDto[]
  /** The bar as text, see `barLabel`. */
  label: string
  /** In passthrough, so it is a card and no vGPU. */
  isWhole?: boolean
  /** The host is silent: the numbers are old. */
  isOld?: boolean
}) => {
  const group = useRef<HTMLDivElement>(null)
  const [stop, setStop] = useState(0)
  const [noted, setNoted] = useState<{ index: number; box: DOMRect } | null>(null)
  const move = (event: KeyboardEvent, index: number) => {
    const step = STEPS[event.key]
    if (event.key === 'Escape') setNoted(null)
    if (step === undefined) return
    event.preventDefault()
    const next = Math.max(0, Math.min(cells.length - 1, index + step))
    setStop(next)
    group.current?.querySelectorAll('button')[next]?.focus()
  }
  const notedCell = noted === null ? undefined : cells[noted.index]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
    <div
      ref={group}
      role="group"
      aria-label={label}
      className={classNames('flex h-10 w-full gap-0.5', isOld && 'cells-old')}
    >
      {cells.map((cell, index) => {
        const { title, lines } = describeCell(cell)
        return (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place in the bar
            key={index}
            type="button"
            tabIndex={index === Math.min(stop, cells.length - 1) ? 0 : -1}
            aria-label={`${isWhole ? 'Whole card' : `vGPU ${index + 1}`}: ${[title, ...lines].join(', ')}`}
            onKeyDown={(event) => move(event, index)}
            onFocus={(event) => {
              setStop(index)
              setNoted({ index, box: event.currentTarget.getBoundingClientRect() })
            }}
            onBlur={() => setNoted(null)}
            onPointerEnter={(event) => setNoted({ index, box: event.currentTarget.getBoundingClientRect() })}
            onPointerLeave={() => setNoted(null)}
            className={classNames(
              '@container flex min-w-0 flex-1 cursor-default flex-col justify-center overflow-hidden rounded-[4px] border text-left',
              STYLES[cell.kind],
            )}
          >
            {cell.kind === 'used' ? (
              <span className="hidden px-1.5 @min-[64px]:block">
                {/* Names of servers differ at their ends, so what has no room goes at the begin. */}
                <span className="block truncate text-left font-[550] text-small [direction:rtl]">
                  <bdi>{title}</bdi>
                </span>
                <span className="block truncate text-tiny">{cell.typeName}</span>
              </span>
            ) : null}
          </button>
        )
      })}
      {notedCell === undefined || noted === null ? null : (
        <FloatingNote anchor={noted.box}>
          <p className="font-[550]">{describeCell(notedCell).title}</p>
          {describeCell(notedCell).lines.map((line) => (
            <p key={line} className="break-words text-ink2">
              {line}
            </p>
          ))}
        </FloatingNote>
      )}
    </div>
  )
}

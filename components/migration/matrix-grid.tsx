'use client'

import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useRef,
  useState,
} from 'react'
import type { Box } from '@/components/ui/position-next-to'
import { FloatingNote } from '@/components/ui/tooltip'
import type { MigrationPairDto } from '@/lib/schemas/api/migration'
import { classNames } from '@/lib/util/class-names'
import { formatCount } from '@/lib/util/format'
import { type MatrixLine, type Ways, wayOf } from './matrix-lines'
import { LineLink, MatrixRow } from './matrix-row'
import { lineName, VERDICT_LABELS, waySentences } from './way-labels'

/** A place of the matrix; -1 is the row or column of the headers. */
type CellPosition = { row: number; column: number }

const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(max, value))

/**
 * Where a key leads: arrows go from cell to cell and on to the headers, Home and End along the row, with Ctrl to the corners,
 * page keys up and down. The empty corner is passed over. Null: the key moves nothing.
 */
export const stepCell = (
  { row, column }: CellPosition,
  { key, isFar, count }: { key: string; isFar: boolean; count: number },
): CellPosition | null => {
  const last = count - 1
  const moves: Record<string, CellPosition> = {
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    PageDown: { row: row + 10, column },
    PageUp: { row: Math.max(0, row - 10), column },
    Home: isFar ? { row: 0, column: 0 } : { row, column: 0 },
    End: isFar ? { row: last, column: last } : { row, column: last },
  }
  const next = moves[key]
  if (next === undefined) return null
  const position = { row: clamp(next.row, -1, last), column: clamp(next.column, -1, last) }
  return position.row === -1 && position.column === -1 ? { row, column } : position
}

/** A migration in a few lines: verdict, blockers, and warnings. */
const WayNote = ({ way, from, to }: { way: MigrationPairDto; from: MatrixLine; to: MatrixLine }) => {
  const { blockers, cautions } = waySentences(way, { from, to })
  return (
    <>
      <p className="font-[550]">
        {VERDICT_LABELS[way.verdict]}
        <span className="ml-1.5 font-[450] text-ink3">
          {lineName(from)} → {lineName(to)}
        </span>
      </p>
      {blockers.map((text) => (
        <p key={text} className="break-words text-ink2">
          {text}
        </p>
      ))}
      {cautions.map((text) => (
        <p key={text} className="break-words text-ink3">
          Caution: {text}
        </p>
      ))}
    </>
  )
}

/** ARIA in HTML allows the role on a table; Biome's rules do not know it. */
const GRID = { role: 'grid' }

const cellAt = (target: EventTarget): { cell: HTMLElement; position: CellPosition } | null => {
  if (!(target instanceof Element)) return null
  const cell = target.closest<HTMLElement>('[data-column]')
  const row = cell?.closest<HTMLElement>('[data-row]')?.dataset.row
  if (cell === null || row === undefined) return null
  return { cell, position: { row: Number(row), column: Number(cell.dataset.column) } }
}

const sizeOf = (count: number): string => {
  if (count <= 12) return 'ways-large'
  return count <= 22 ? 'ways-middle' : ''
}

const FreeCell = ({ line }: { line: MatrixLine }) => {
  const free = line.hosts.reduce<number | null>(
    (sum, host) => (sum === null || host.free === null ? null : sum + host.free),
    0,
  )
  return (
    <td
      aria-label={free === null ? 'free vGPUs unknown' : `${free} free`}
      className="pb-1 text-center text-ink2 text-tiny tabular-nums"
    >
      {free === null ? '–' : formatCount(free)}
    </td>
  )
}

/**
 * From each host (rows) to each host (columns). Arrow keys move between cells and headers, Enter selects a cell or opens
 * a header's host. A hovered or focused cell shows what prevents the migration.
 */
export const MatrixGrid = ({
  lines,
  ways,
  label,
  cloud,
  chosen,
  onChoose,
}: {
  lines: readonly MatrixLine[]
  ways: Ways
  label: string
  cloud: string | null
  /** Place of the chosen cell. */
  chosen: CellPosition | null
  onChoose: (position: CellPosition) => void
}) => {
  const table = useRef<HTMLTableElement>(null)
  const [at, setAt] = useState<CellPosition>({ row: 0, column: 0 })
  const [noted, setNoted] = useState<{ position: CellPosition; box: Box } | null>(null)
  const last = lines.length - 1
  const stop = { row: Math.min(at.row, last), column: Math.min(at.column, last) }

  const note = (target: EventTarget): void => {
    const found = cellAt(target)
    const { row, column } = found?.position ?? { row: -1, column: -1 }
    setNoted(
      found === null || row < 0 || column < 0
        ? null
        : { position: found.position, box: found.cell.getBoundingClientRect() },
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const found = cellAt(event.target)
    if (found === null || event.metaKey || event.altKey) return
    const { row, column } = found.position
    if (event.key === 'Escape') return setNoted(null)
    if (event.key === 'Enter' || event.key === ' ') {
      if (row < 0 || column < 0) found.cell.querySelector('a')?.click()
      else onChoose(found.position)
      return event.preventDefault()
    }
    const next = stepCell(found.position, { key: event.key, isFar: event.ctrlKey, count: lines.length })
    if (next === null) return
    event.preventDefault()
    setAt(next)
    table.current
      ?.querySelector<HTMLElement>(`[data-row="${next.row}"] [data-column="${next.column}"]`)
      ?.focus()
  }
  const onClick = ({ target }: MouseEvent) => {
    const found = cellAt(target)
    if (found === null || found.position.row < 0 || found.position.column < 0) return
    setAt(found.position)
    onChoose(found.position)
  }
  const from = noted === null ? undefined : lines[noted.position.row]
  const to = noted === null ? undefined : lines[noted.position.column]
  const way = from === undefined || to === undefined ? null : wayOf(ways, from, to)
  return (
    <>
      <table
        ref={table}
        {...GRID}
        aria-label={label}
        className={classNames('border-separate border-spacing-0.5', sizeOf(lines.length))}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onFocus={(event: FocusEvent) => note(event.target)}
        onBlur={() => setNoted(null)}
        onPointerOver={(event: PointerEvent) => {
          if (event.pointerType !== 'touch') note(event.target)
        }}
        onPointerLeave={() => setNoted(null)}
      >
        <thead>
          <tr data-row={-1}>
            <th
              scope="col"
              className="sticky left-0 z-10 bg-panel pr-2 pl-3.5 text-left align-bottom font-[550] text-ink2 text-small"
            >
              from ↓ to →
            </th>
            {lines.map((line, column) => (
              <th
                key={line.first.name}
                scope="col"
                data-column={column}
                tabIndex={stop.row === -1 && stop.column === column ? 0 : -1}
                className="way-head font-[450]"
              >
                <LineLink line={line} cloud={cloud} />
              </th>
            ))}
          </tr>
          <tr>
            <th
              scope="row"
              className="sticky left-0 z-10 bg-panel pr-2 pb-1 pl-3.5 text-left font-[450] text-ink3 text-tiny"
            >
              free there
            </th>
            {lines.map((line) => (
              <FreeCell key={line.first.name} line={line} />
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, row) => (
            <MatrixRow
              key={line.first.name}
              line={line}
              lines={lines}
              ways={ways}
              row={row}
              cloud={cloud}
              stop={stop.row === row ? stop.column : null}
              chosen={chosen?.row === row ? chosen.column : null}
            />
          ))}
        </tbody>
      </table>
      {noted === null || from === undefined || to === undefined || way === null ? null : (
        <FloatingNote anchor={noted.box}>
          <WayNote way={way} from={from} to={to} />
        </FloatingNote>
      )}
    </>
  )
}

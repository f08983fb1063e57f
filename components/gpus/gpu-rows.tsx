'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { type CSSProperties, type MouseEvent, memo, useMemo, useState } from 'react'
import { unitNote } from '@/components/gpu/unit-note'
import { prepareCellNotes } from '@/components/gpu/vgpu-bar'
import { useCloud } from '@/components/shell/use-cloud'
import type { GpuGroup } from '@/lib/domain/gpu-list/arrange-gpus'
import { ON_ITS_WAY } from '@/lib/domain/gpu-list/first-list'
import {
  aggregateSetText,
  entryAt,
  findRow,
  type GpuStore,
  gpuRowAt,
  isCloudRead,
  keyOfRow,
} from '@/lib/domain/gpu-list/gpu-store'
import type { GroupFigures } from '@/lib/domain/gpu-list/group-figures'
import { type Line, lineAt, lineCount, lineOfPosition } from '@/lib/domain/gpu-list/lines'
import { classNames } from '@/lib/util/class-names'
import { formatMib, formatNoun } from '@/lib/util/format'
import { hostPath } from '@/lib/util/paths'
import { gpuAt } from './gpu-at'
import type { GpuColumn } from './gpu-columns'
import { prepareLazyParts } from './lazy-parts'
import { keepOpenedRow } from './opened-row'
import { useDueLines } from './use-due-lines'
import type { GpuView } from './use-gpu-view'
import { useLineWindow } from './use-line-window'
import { useRowKeys } from './use-row-keys'
import { useSavedScroll } from './use-saved-scroll'
import { useSeats } from './use-seats'
import type { Selection } from './use-selection'
import type { ShownGpu } from './use-shown-gpu'

const nameOf = ({ store: { data }, grouping }: GpuView, { entry }: GpuGroup): string => {
  if (entry === null)
    return grouping === 'aggregate' ? 'Aggregates unknown' : 'No vGPU type, or PCI passthrough'
  if (grouping === 'host') return data.hosts[entry] ?? ''
  if (grouping === 'type') return data.types[entry]?.shortName ?? ''
  if (grouping === 'aggregate') return aggregateSetText(data.aggregateSets[entry] ?? [])
  return data.models[entry] ?? ''
}

const noteOf = ({ sums, memoryMib, total }: GroupFigures): string => {
  const shown =
    sums.pgpus === total
      ? formatNoun(sums.pgpus, 'pGPU')
      : `${sums.pgpus} of ${formatNoun(total, 'pGPU')} shown`
  return [
    memoryMib === null ? null : formatMib(memoryMib),
    shown,
    unitNote(sums.totals, 'vGPU', 'vGPUs'),
    unitNote(sums.passthrough, 'passthrough GPU', 'passthrough GPUs'),
    sums.silent === 0 ? null : `${formatNoun(sums.silent, 'pGPU')} last known`,
  ]
    .filter((part) => part !== null)
    .join(', ')
}

const GroupRow = ({
  view,
  group,
  line,
  cloud,
  top,
  height,
}: {
  view: GpuView
  group: GpuGroup
  line: number
  cloud: string | null
  /** Of the group with its rows, in pixels; null: on paper. */
  top: number | null
  height: number
}) => {
  const { grouping } = view
  const name = nameOf(view, group)
  const note = useMemo(() => {
    const figures = view.figuresOf(group)
    return figures === null ? null : noteOf(figures)
  }, [view, group])
  return (
    <tr aria-rowindex={line + 2} className="gpu-group" style={top === null ? {} : { top, height }}>
      <th scope="rowgroup">
        {grouping === 'host' ? (
          <Link href={hostPath({ cloud, host: name })} prefetch={false} className="hover:underline">
            {name}
          </Link>
        ) : (
          name
        )}
        <small>{note}</small>
      </th>
    </tr>
  )
}

/** The heading of a group. Its sums go over all of its rows, so it is drawn again only when these change. */
const GpuGroupRow = memo(GroupRow)

type GpuTableRowProps = {
  store: GpuStore
  columns: readonly GpuColumn[]
  row: number
  /** Place among the rows shown, and the line, headings counted. */
  index: number
  line: number
  cloud: string | null
  /** Distance from the list's top in pixels; null: on paper, where rows follow each other. */
  top: number | null
  isSelected: boolean
  /** The drawer shows it. */
  isShown: boolean
  isTabStop: boolean
  /** Cell of the bar with the keyboard focus. */
  activeCell: number | null
  /** Undefined: its host is not silent. */
  silentSince: string | null | undefined
}

/** Rows are moved, not laid out: one that takes another pGPU's place disturbs none of the others. */
const styleAt = (top: number | null): CSSProperties =>
  top === null ? {} : { transform: `translateY(${top}px)` }

/** Whether a column with cells follows, so that an empty cell has to keep its place. */
const hasCellAfter = (columns: readonly GpuColumn[], at: number): boolean =>
  columns.some(({ cell }, index) => index > at && cell !== undefined)

/** One pGPU. It handles no events: the table listens once for all rows, and follows their links without a page load. */
export const GpuTableRow = memo(
  ({
    store,
    columns,
    row,
    index,
    line,
    cloud,
    top,
    isSelected,
    isShown,
    isTabStop,
    activeCell,
    silentSince,
  }: GpuTableRowProps) => {
    const gpu = gpuRowAt(store, row)
    const context = { isCloudRead: isCloudRead(store), cloud, isSelected, isTabStop, activeCell, silentSince }
    return (
      <tr
        data-index={index}
        aria-rowindex={line + 2}
        aria-selected={isSelected}
        tabIndex={isTabStop ? 0 : -1}
        style={styleAt(top)}
        className={classNames('gpu-row', isShown && 'gpu-shown', silentSince !== undefined && 'text-ink3')}
      >
        {columns.map(({ id, className, hint, cell }, at) => {
          const content = cell?.(gpu, context) ?? null
          const isSkipped = content === null && (cell === undefined || !hasCellAfter(columns, at))
          return isSkipped ? null : (
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

/** What a row opens is loaded before it is needed. */
const prepare = () => {
  prepareCellNotes()
  prepareLazyParts()
}

const indexOf = (target: EventTarget): number | null => {
  const text =
    target instanceof Element ? target.closest<HTMLElement>('tr[data-index]')?.dataset.index : undefined
  return text === undefined ? null : Number(text)
}

/** Rows are moved by the fleet and by sorting, so a pGPU is known by its name. */
const keyOf = ({ store, isWhole }: GpuView, found: Line): string => {
  if (found.kind === 'group') return `group ${isWhole ? found.group.entry : found.group.start}`
  return found.row === ON_ITS_WAY ? `place ${found.position}` : keyOfRow(store, found.row)
}

const RowOnItsWay = ({ index, line, top }: { index: number; line: number; top: number | null }) => (
  <tr data-index={index} aria-rowindex={line + 2} aria-busy className="gpu-row" style={styleAt(top)}>
    <td />
  </tr>
)

type RowsProps = {
  view: GpuView
  columns: readonly GpuColumn[]
  selection: Selection
  /** Of the drawer. */
  shown: ShownGpu | null
  show: (gpu: ShownGpu) => void
}

const Rows = ({ view, columns, selection, shown, show }: RowsProps) => {
  const { store, rows, silentHosts } = view
  const router = useRouter()
  const { cloud } = useCloud()
  const [body, setBody] = useState<HTMLTableSectionElement | null>(null)
  const [anchorIndex, setAnchorIndex] = useState<number | null>(null)

  const toggle = (index: number, isRange: boolean) => {
    const row = rows[index]
    if (row === undefined) return
    const isOn = selection.selected.mask[row] !== 1
    const from = isRange && anchorIndex !== null ? Math.min(anchorIndex, index) : index
    const to = isRange && anchorIndex !== null ? Math.max(anchorIndex, index) : index
    selection.set(rows.subarray(from, to + 1), isOn)
    setAnchorIndex(index)
  }
  const open = (index: number) => {
    const gpu = gpuAt(view, index)
    if (gpu !== null) show(gpu)
  }
  const keys = useRowKeys({ view, body, shown, toggle, open })
  const shownRow = shown === null ? null : findRow(store, shown)
  const focusedLine = keys.index === null ? null : lineOfPosition(view, keys.index)
  const { drawn, offsetsOfLine, total, scrollToLine, rowHeight, isOnPaper } = useLineWindow(view, {
    body,
    focusedLine,
  })
  keys.connect({ scrollToLine, rowHeight })
  const due = useDueLines(drawn, view)
  const isHeading = (line: number) => lineAt(view, line).kind === 'group'
  const always = drawn.filter((line) => isOnPaper || line === focusedLine || isHeading(line))
  const lines = [...new Set([...due, ...always])]
    .filter((line) => line < lineCount(view))
    .sort((a, b) => a - b)
    .map((line) => ({ ...offsetsOfLine(line), found: lineAt(view, line) }))
  const seats = useSeats(lines.map(({ found }) => ({ key: keyOf(view, found), isRow: found.kind === 'row' })))
  useSavedScroll(body !== null && drawn.length > 0)

  const click = (event: MouseEvent) => {
    const index = indexOf(event.target)
    if (index === null) return
    keys.setPosition(index)
    if (event.target instanceof HTMLInputElement) return toggle(index, event.shiftKey)
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    if (event.target instanceof HTMLAnchorElement) {
      event.preventDefault()
      const gpu = gpuAt(view, index)
      if (gpu !== null) keepOpenedRow(gpu)
      router.push(event.target.href)
    } else if (window.getSelection()?.isCollapsed !== false) open(index)
  }
  return (
    <tbody
      ref={setBody}
      className="gpu-list"
      style={isOnPaper ? {} : { height: total }}
      onClick={click}
      onKeyDown={keys.onKeyDown}
      onFocus={(event) => {
        prepare()
        keys.onFocus(event)
      }}
      onPointerEnter={prepare}
    >
      {seats.positions.map((at) => {
        const { line, start, end, found } = lines[at] as (typeof lines)[number]
        const key = seats.keys[at]
        const top = isOnPaper ? null : start
        if (found.kind === 'group')
          return (
            <GpuGroupRow
              key={key}
              view={view}
              group={found.group}
              line={line}
              cloud={cloud}
              top={top}
              height={end - start}
            />
          )
        if (found.row === ON_ITS_WAY)
          return <RowOnItsWay key={key} index={found.position} line={line} top={top} />
        return (
          <GpuTableRow
            key={key}
            store={store}
            columns={columns}
            row={found.row}
            index={found.position}
            line={line}
            top={top}
            cloud={cloud}
            isSelected={selection.selected.mask[found.row] === 1}
            isShown={found.row === shownRow}
            isTabStop={found.position === (keys.index ?? 0)}
            activeCell={found.position === keys.index ? keys.cell : null}
            silentSince={silentHosts.get(entryAt(store.data.hosts, store.columns.hostIndex, found.row) ?? '')}
          />
        )
      })}
    </tbody>
  )
}

/** The rows in the window. Scrolling draws them again, and nothing around them. */
export const GpuRows = memo(Rows)

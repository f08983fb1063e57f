'use client'

import { useRouter } from 'next/navigation'
import { type MouseEvent, memo, useState } from 'react'
import { prepareCellNotes } from '@/components/gpu/vgpu-bar'
import { useCloud } from '@/components/shell/use-cloud'
import { ON_ITS_WAY } from '@/lib/domain/gpu-list/first-list'
import { entryAt, gpuRowAt, keyOfRow } from '@/lib/domain/gpu-list/gpu-store'
import { type Line, lineAt, lineCount, lineOfPlace } from '@/lib/domain/gpu-list/lines'
import { gpuPath } from '@/lib/util/paths'
import { GpuGroupRow } from './gpu-group-row'
import { GpuTableRow, standAt } from './gpu-table-row'
import { keepOpenedRow } from './opened-row'
import { useDueLines } from './use-due-lines'
import type { GpuView } from './use-gpu-view'
import { useLineWindow } from './use-line-window'
import { useRowKeys } from './use-row-keys'
import { useSavedScroll } from './use-saved-scroll'
import { useSeats } from './use-seats'
import type { Selection } from './use-selection'

const placeOf = (target: EventTarget): number | null => {
  const text =
    target instanceof Element ? target.closest<HTMLElement>('tr[data-place]')?.dataset.place : undefined
  return text === undefined ? null : Number(text)
}

/** Rows are moved by the fleet and by sorting, so a pGPU is known by its name. */
const keyOf = ({ store, isWhole }: GpuView, found: Line): string => {
  if (found.kind === 'group') return `group ${isWhole ? found.group.entry : found.group.start}`
  return found.row === ON_ITS_WAY ? `place ${found.place}` : keyOfRow(store, found.row)
}

const RowOnItsWay = ({ place, line, top }: { place: number; line: number; top: number | null }) => (
  <tr data-place={place} aria-rowindex={line + 2} aria-busy className="gpu-row" style={standAt(top)}>
    <td />
  </tr>
)

const Rows = ({ view, selection }: { view: GpuView; selection: Selection }) => {
  const { store, rows, silentHosts } = view
  const router = useRouter()
  const { cloud } = useCloud()
  const [body, setBody] = useState<HTMLTableSectionElement | null>(null)
  const [anchorPlace, setAnchorPlace] = useState<number | null>(null)

  const toggle = (place: number, isRange: boolean) => {
    const row = rows[place]
    if (row === undefined) return
    const isOn = selection.selected.mask[row] !== 1
    const from = isRange && anchorPlace !== null ? Math.min(anchorPlace, place) : place
    const to = isRange && anchorPlace !== null ? Math.max(anchorPlace, place) : place
    selection.set(rows.subarray(from, to + 1), isOn)
    setAnchorPlace(place)
  }
  const open = (place: number) => {
    const { host, address } = gpuRowAt(store, rows[place] ?? -1)
    if (host === '') return
    keepOpenedRow({ host, address })
    router.push(gpuPath({ cloud, host, address }))
  }
  const keys = useRowKeys({ view, body, toggle, open })
  const keptLine = keys.place === null ? null : lineOfPlace(view, keys.place)
  const { drawn, placeOfLine, total, scrollToLine, rowHeight, isOnPaper } = useLineWindow(view, {
    body,
    keptLine,
  })
  keys.connect({ scrollToLine, rowHeight })
  const due = useDueLines(drawn, view)
  const isHeading = (line: number) => lineAt(view, line).kind === 'group'
  const always = drawn.filter((line) => isOnPaper || line === keptLine || isHeading(line))
  const lines = [...new Set([...due, ...always])]
    .filter((line) => line < lineCount(view))
    .sort((a, b) => a - b)
    .map((line) => ({ ...placeOfLine(line), found: lineAt(view, line) }))
  const seats = useSeats(lines.map(({ found }) => ({ key: keyOf(view, found), isRow: found.kind === 'row' })))
  useSavedScroll(body !== null && drawn.length > 0)

  const click = (event: MouseEvent) => {
    const place = placeOf(event.target)
    if (place === null) return
    keys.stand(place)
    const isPlainClick = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (event.target instanceof HTMLAnchorElement && isPlainClick) {
      event.preventDefault()
      open(place)
    }
    if (event.target instanceof HTMLInputElement) toggle(place, event.shiftKey)
  }
  return (
    <tbody
      ref={setBody}
      className="gpu-list"
      style={isOnPaper ? {} : { height: total }}
      onClick={click}
      onKeyDown={keys.onKeyDown}
      onFocus={(event) => {
        prepareCellNotes()
        keys.onFocus(event)
      }}
      onPointerEnter={prepareCellNotes}
    >
      {seats.places.map((at) => {
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
          return <RowOnItsWay key={key} place={found.place} line={line} top={top} />
        return (
          <GpuTableRow
            key={key}
            store={store}
            row={found.row}
            place={found.place}
            line={line}
            top={top}
            cloud={cloud}
            isSelected={selection.selected.mask[found.row] === 1}
            isTabStop={found.place === (keys.place ?? 0)}
            activeCell={found.place === keys.place ? keys.cell : null}
            silentSince={silentHosts.get(entryAt(store.data.hosts, store.columns.hostIndex, found.row) ?? '')}
          />
        )
      })}
    </tbody>
  )
}

/** The rows in the window. Scrolling draws them again, and nothing around them. */
export const GpuRows = memo(Rows)

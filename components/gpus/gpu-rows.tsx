'use client'

import { useRouter } from 'next/navigation'
import { Fragment, type MouseEvent, memo, useState } from 'react'
import { prepareCellNotes } from '@/components/gpu/vgpu-bar'
import { useCloud } from '@/components/shell/use-cloud'
import { ON_ITS_WAY } from '@/lib/domain/gpu-list/first-list'
import { entryAt, gpuRowAt, keyOfRow } from '@/lib/domain/gpu-list/gpu-store'
import { type Line, lineAt, lineOfPlace } from '@/lib/domain/gpu-list/lines'
import { gpuPath } from '@/lib/util/paths'
import { GpuGroupRow } from './gpu-group-row'
import { GpuTableRow } from './gpu-table-row'
import { keepOpenedRow } from './opened-row'
import { useFilledLines } from './use-filled-lines'
import type { GpuView } from './use-gpu-view'
import { useLineWindow } from './use-line-window'
import { useRowKeys } from './use-row-keys'
import { useSavedScroll } from './use-saved-scroll'
import type { Selection } from './use-selection'

const placeOf = (target: EventTarget): number | null => {
  const text =
    target instanceof Element ? target.closest<HTMLElement>('tr[data-place]')?.dataset.place : undefined
  return text === undefined ? null : Number(text)
}

const Gap = ({ height }: { height: number }) =>
  height <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes focus
    <tr aria-hidden="true" className="max-md:block">
      <td colSpan={8} className="p-0 max-md:block" style={{ height }} />
    </tr>
  )

/** Rows are moved by the fleet and by sorting, so a pGPU is known by its name. */
const keyOf = ({ store, isWhole }: GpuView, found: Line): string => {
  if (found.kind === 'group') return `group ${isWhole ? found.group.entry : found.group.start}`
  return found.row === ON_ITS_WAY ? `place ${found.place}` : keyOfRow(store, found.row)
}

const RowOnItsWay = ({ place, line }: { place: number; line: number }) => (
  <tr data-place={place} aria-rowindex={line + 2} aria-busy className="gpu-row">
    <td colSpan={8} />
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
  const { drawn, total, scrollToLine, rowHeight, isOnPaper } = useLineWindow(view, { body, keptLine })
  keys.connect({ scrollToLine, rowHeight })
  const filled = useFilledLines(
    drawn.map(({ line }) => line),
    view,
  )
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
  let at = 0
  return (
    <tbody
      ref={setBody}
      className="max-md:block"
      onClick={click}
      onKeyDown={keys.onKeyDown}
      onFocus={(event) => {
        prepareCellNotes()
        keys.onFocus(event)
      }}
      onPointerEnter={prepareCellNotes}
    >
      {drawn.map(({ line, start, end }) => {
        const gap = start - at
        at = end
        const found = lineAt(view, line)
        return (
          <Fragment key={keyOf(view, found)}>
            <Gap height={gap} />
            {found.kind === 'group' ? (
              <GpuGroupRow view={view} group={found.group} line={line} cloud={cloud} />
            ) : found.row === ON_ITS_WAY ? (
              <RowOnItsWay place={found.place} line={line} />
            ) : (
              <GpuTableRow
                store={store}
                row={found.row}
                place={found.place}
                line={line}
                cloud={cloud}
                isFull={isOnPaper || filled.has(line) || found.place === keys.place}
                isSelected={selection.selected.mask[found.row] === 1}
                isTabStop={found.place === (keys.place ?? 0)}
                activeCell={found.place === keys.place ? keys.cell : null}
                silentSince={silentHosts.get(
                  entryAt(store.data.hosts, store.columns.hostIndex, found.row) ?? '',
                )}
              />
            )}
          </Fragment>
        )
      })}
      <Gap height={total - at} />
    </tbody>
  )
}

/** The rows in the window. Scrolling draws them again, and nothing around them. */
export const GpuRows = memo(Rows)

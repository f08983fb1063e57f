'use client'

import { useRouter } from 'next/navigation'
import { useQueryStates } from 'nuqs'
import { Fragment, type MouseEvent, useMemo, useState } from 'react'
import { CellPatterns } from '@/components/gpu/cell-patterns'
import { useCloud } from '@/components/shell/use-cloud'
import { gpuPath } from '@/lib/util/paths'
import { entriesCount } from './entries-count'
import { GpuGroupRow } from './gpu-group-row'
import { gpuSearchParams } from './gpu-search-params'
import { entryAt, gpuRowAt, keyOfRow } from './gpu-store'
import { GpuTableHead } from './gpu-table-head'
import { GpuTableRow } from './gpu-table-row'
import { lineAt, lineCount, lineOfPlace } from './lines'
import { selectedAmong } from './selection'
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

/** All pGPUs that the filter lets through, of which the ones in the window are drawn. */
export const GpuTable = ({ view, selection }: { view: GpuView; selection: Selection }) => {
  const { store, rows, silentHosts } = view
  const router = useRouter()
  const { cloud } = useCloud()
  const [{ group }] = useQueryStates(gpuSearchParams)
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
    router.push(gpuPath({ cloud, host, address }))
  }
  const keys = useRowKeys({ view, body, toggle, open })
  const keptLine = keys.place === null ? null : lineOfPlace(view, keys.place)
  const { drawn, total, virtualizer, rowHeight } = useLineWindow(view, { body, keptLine })
  keys.connect({ virtualizer, rowHeight })
  useSavedScroll(body !== null && drawn.length > 0)

  const selectedCount = useMemo(() => selectedAmong(selection.selected, rows).length, [selection, rows])
  const totals = useMemo(() => entriesCount(store, group), [store, group])
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
    <div className="overflow-clip rounded-panel border border-line bg-panel print:overflow-visible">
      <CellPatterns />
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows take keys is a grid
        role="grid"
        aria-label="pGPUs"
        aria-rowcount={lineCount(view) + 1}
        aria-multiselectable
        className="w-full table-fixed border-separate border-spacing-0 max-md:block"
      >
        <GpuTableHead
          selectable={rows.length}
          selected={selectedCount}
          onSelectAll={(isOn) => selection.set(rows, isOn)}
        />
        <tbody
          ref={setBody}
          className="max-md:block"
          onClick={click}
          onKeyDown={keys.onKeyDown}
          onFocus={keys.onFocus}
        >
          {drawn.map(({ line, start, end }) => {
            const gap = start - at
            at = end
            const found = lineAt(view, line)
            return (
              <Fragment
                key={found.kind === 'row' ? keyOfRow(store, found.row) : `group ${found.group.entry}`}
              >
                <Gap height={gap} />
                {found.kind === 'group' ? (
                  <GpuGroupRow
                    view={view}
                    grouping={group}
                    group={found.group}
                    line={line}
                    cloud={cloud}
                    total={totals.get(found.group.entry) ?? 0}
                  />
                ) : (
                  <GpuTableRow
                    store={store}
                    row={found.row}
                    place={found.place}
                    line={line}
                    cloud={cloud}
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
      </table>
    </div>
  )
}

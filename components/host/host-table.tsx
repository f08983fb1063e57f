'use client'

import { useRouter } from 'next/navigation'
import { useQueryStates } from 'nuqs'
import type { MouseEvent } from 'react'
import { useCloud } from '@/components/shell/use-cloud'
import { SortThs, type TableColumn } from '@/components/ui/sort-ths'
import { Table, TablePanel } from '@/components/ui/table'
import type { HostSummary } from '@/lib/schemas/api/host'
import { hostPath } from '@/lib/util/paths'
import type { HostSort } from './arrange-hosts'
import { HostRow } from './host-row'
import { hostSearchParams } from './host-search-params'
import { useHostWindow } from './use-host-window'

const COLUMNS: readonly TableColumn<HostSort>[] = [
  { name: 'Host', sort: 'name' },
  // Takes the width that the others leave and is truncated first, so that the age of the data stays visible.
  { name: 'Models', sort: null, className: 'min-w-36 max-md:hidden' },
  { name: 'pGPUs', sort: 'gpus', isNumber: true },
  { name: 'vGPUs in use', sort: 'used', isNumber: true },
  { name: 'Passthrough', sort: null, isNumber: true, title: 'Passthrough GPUs in use' },
  { name: 'Guests', sort: 'guests', isNumber: true },
  { name: 'Problems', sort: 'problems', isNumber: true },
  { name: 'Driver', sort: null },
  { name: 'libvirt', sort: null },
  { name: 'nova.conf', sort: null },
  { name: 'Agent', sort: null },
  { name: 'Last seen', sort: 'seen' },
]

/** Names and ages begin with the smallest, counts with the largest; `desc` turns either round. */
const isRising = (column: HostSort, desc: boolean): boolean =>
  (column === 'name' || column === 'seen') !== desc

const Head = () => {
  const [{ sort, desc }, setParams] = useQueryStates(hostSearchParams)
  return (
    <thead>
      <tr aria-rowindex={1}>
        <SortThs
          columns={COLUMNS}
          sorting={{ sort, isRising: isRising(sort, desc) }}
          onSort={(column) => void setParams({ sort: column, desc: column === sort ? !desc : false })}
        />
      </tr>
    </thead>
  )
}

const Gap = ({ height }: { height: number }) =>
  height === 0 ? null : (
    <tr aria-hidden style={{ height }}>
      <td colSpan={COLUMNS.length} />
    </tr>
  )

export const HostTable = ({ hosts }: { hosts: readonly HostSummary[] }) => {
  const router = useRouter()
  const { cloud } = useCloud()
  const open = (place: number) => {
    const host = hosts[place]
    if (host !== undefined) router.push(hostPath({ cloud, host: host.name }))
  }
  const { setBody, stop, first, last, before, after, onKeyDown } = useHostWindow({
    count: hosts.length,
    open,
  })
  const openRow = (event: MouseEvent) => {
    const { target } = event
    if (!(target instanceof Element) || target.closest('a') !== null) return
    const place = target.closest<HTMLElement>('tr[data-place]')?.dataset.place
    if (place !== undefined && window.getSelection()?.isCollapsed !== false) open(Number(place))
  }
  return (
    <TablePanel>
      <Table aria-rowcount={hosts.length + 1}>
        <Head />
        <tbody ref={setBody} onKeyDown={onKeyDown} onClick={openRow}>
          <Gap height={before} />
          {hosts.slice(first, last + 1).map((host, place) => (
            <HostRow
              key={host.name}
              host={host}
              place={first + place}
              cloud={cloud}
              isTabStop={first + place === stop}
            />
          ))}
          <Gap height={after} />
        </tbody>
      </Table>
    </TablePanel>
  )
}

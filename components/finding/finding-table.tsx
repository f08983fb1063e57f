'use client'

import { useRouter } from 'next/navigation'
import { type MouseEvent, useState } from 'react'
import { useCloud } from '@/components/shell/use-cloud'
import { useRowFocus } from '@/components/table/use-row-focus'
import { Button } from '@/components/ui/button'
import { Table, TablePanel, Th } from '@/components/ui/table'
import { formatCount } from '@/lib/util/format'
import { findingPath } from '@/lib/util/paths'
import { FindingRow } from './finding-row'
import { severityCounts } from './finding-words'
import type { FindingGroup } from './group-findings'

const ROW_HEIGHT = 33

/** More rows of one group are drawn when asked for; the CSV has all. */
const STEP = 50

const GroupHead = ({ group }: { group: FindingGroup }) => (
  <tr className="bg-bg">
    <th
      scope="rowgroup"
      colSpan={5}
      className="border-line border-b px-3.5 py-2 text-left font-semibold [tbody:first-of-type_&]:border-t-0"
    >
      {group.title}
      <small className="ml-2 whitespace-nowrap font-[450] text-ink2 text-small">
        {severityCounts(group.findings)}
      </small>
    </th>
  </tr>
)

const More = ({ group, shown, onMore }: { group: FindingGroup; shown: number; onMore: () => void }) => (
  <tr>
    <td colSpan={5} className="border-line2 border-b px-3.5 py-1.5">
      <Button size="small" onClick={onMore}>
        Show more of {formatCount(group.findings.length)}
      </Button>
      <span className="ml-2 text-ink3 text-small">{formatCount(shown)} are shown</span>
    </td>
  </tr>
)

/** How many rows of each group stand before it, to number the rows through. */
const startsOf = (groups: readonly { rows: readonly unknown[] }[]): number[] => {
  let before = 0
  return groups.map(({ rows }) => {
    const start = before
    before += rows.length
    return start
  })
}

/** Findings under the title of their code. */
export const FindingTable = ({ groups }: { groups: readonly FindingGroup[] }) => {
  const router = useRouter()
  const { cloud } = useCloud()
  const [body, setBody] = useState<HTMLTableElement | null>(null)
  const [limits, setLimits] = useState<Readonly<Record<string, number>>>({})
  const limitOf = (code: string) => limits[code] ?? STEP
  const drawn = groups.map((group) => ({ group, rows: group.findings.slice(0, limitOf(group.code)) }))
  const starts = startsOf(drawn)
  const rows = drawn.flatMap((part) => part.rows)
  const open = (place: number) => {
    const finding = rows[place]
    if (finding !== undefined) router.push(findingPath({ cloud, id: finding.id }))
  }
  const { stop, onKeyDown } = useRowFocus({ body, count: rows.length, rowHeight: ROW_HEIGHT, open })
  const openRow = (event: MouseEvent) => {
    const { target } = event
    if (!(target instanceof Element) || target.closest('a, button') !== null) return
    const place = target.closest<HTMLElement>('tr[data-place]')?.dataset.place
    if (place !== undefined && window.getSelection()?.isCollapsed !== false) open(Number(place))
  }
  return (
    <TablePanel>
      <Table ref={setBody} onKeyDown={onKeyDown} onClick={openRow} aria-label="Findings by kind">
        <thead className="max-md:sr-only">
          <tr>
            <Th className="pl-3.5">Severity</Th>
            <Th>Finding</Th>
            <Th>About</Th>
            <Th>Source to correct</Th>
            <Th isNumber className="pr-3.5">
              Since
            </Th>
          </tr>
        </thead>
        {drawn.map(({ group, rows: own }, at) => (
          <tbody key={group.code}>
            <GroupHead group={group} />
            {own.map((finding, place) => (
              <FindingRow
                key={finding.id}
                finding={finding}
                place={(starts[at] ?? 0) + place}
                cloud={cloud}
                isTabStop={(starts[at] ?? 0) + place === stop}
              />
            ))}
            {group.findings.length > own.length ? (
              <More
                group={group}
                shown={own.length}
                onMore={() => setLimits({ ...limits, [group.code]: limitOf(group.code) + STEP })}
              />
            ) : null}
          </tbody>
        ))}
      </Table>
    </TablePanel>
  )
}

'use client'

import { useRouter } from 'next/navigation'
import { type MouseEvent, useState } from 'react'
import { useCloud } from '@/components/shell/use-cloud'
import { useRowFocus } from '@/components/table/use-row-focus'
import { Button } from '@/components/ui/button'
import { Table, TablePanel, Th } from '@/components/ui/table'
import { groupFindings } from '@/lib/domain/finding-list/group-findings'
import type { FindingList, TrackedFinding } from '@/lib/schemas/api/finding'
import { formatCount } from '@/lib/util/format'
import { findingPath } from '@/lib/util/paths'
import { FindingRow } from './finding-row'
import { severityCounts } from './finding-words'

type Kind = FindingList['kinds'][number]

const ROW_HEIGHT = 33

const GroupHead = ({ kind }: { kind: Kind }) => (
  <tr className="bg-bg">
    <th
      scope="rowgroup"
      colSpan={5}
      className="border-line border-b px-3.5 py-2 text-left font-semibold [tbody:first-of-type_&]:border-t-0"
    >
      {kind.title}
      <small className="ml-2 whitespace-nowrap font-[450] text-ink2 text-small">{severityCounts(kind)}</small>
    </th>
  </tr>
)

const More = ({ count, shown, onMore }: { count: number; shown: number; onMore: () => void }) => (
  <tr>
    <td colSpan={5} className="border-line2 border-b px-3.5 py-1.5">
      <Button size="small" onClick={onMore}>
        Show more of {formatCount(count)}
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

/** Findings under the title of their kind. `onMore` shows more of a kind. */
export const FindingTable = ({
  kinds,
  findings,
  onMore,
}: {
  kinds: readonly Kind[]
  findings: readonly TrackedFinding[]
  onMore: (code: string) => void
}) => {
  const router = useRouter()
  const { cloud } = useCloud()
  const [body, setBody] = useState<HTMLTableElement | null>(null)
  const byCode = new Map(groupFindings(findings).map((group) => [group.code, group.findings]))
  const drawn = kinds.map((kind) => ({
    kind,
    count: kind.error + kind.warning + kind.info,
    rows: byCode.get(kind.code) ?? [],
  }))
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
        {drawn.map(({ kind, count, rows: own }, at) => (
          <tbody key={kind.code}>
            <GroupHead kind={kind} />
            {own.map((finding, place) => (
              <FindingRow
                key={finding.id}
                finding={finding}
                place={(starts[at] ?? 0) + place}
                cloud={cloud}
                isTabStop={(starts[at] ?? 0) + place === stop}
              />
            ))}
            {count > own.length ? (
              <More count={count} shown={own.length} onMore={() => onMore(kind.code)} />
            ) : null}
          </tbody>
        ))}
      </Table>
    </TablePanel>
  )
}

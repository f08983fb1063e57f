'use client'

import { useCloud } from '@/components/shell/use-cloud'
import type { Column } from '@/components/table/column'
import { DataTable } from '@/components/table/data-table'
import { useRowNavigation } from '@/components/table/use-row-navigation'
import { Button } from '@/components/ui/button'
import { groupFindings } from '@/lib/domain/finding-list/group-findings'
import type { FindingList, TrackedFinding } from '@/lib/schemas/api/finding'
import { formatCount } from '@/lib/util/format'
import { findingPath } from '@/lib/util/paths'
import { MuteButton } from './mute-button'
import { severityCounts } from './severity-counts'
import { UnmuteButton } from './unmute-button'

type Kind = FindingList['kinds'][number]

const More = ({ count, shown, onMore }: { count: number; shown: number; onMore: () => void }) => (
  <>
    <Button size="small" onClick={onMore}>
      Show more of {formatCount(count)}
    </Button>
    <span className="ml-2 text-ink3 text-small">{formatCount(shown)} shown</span>
  </>
)

/** Findings under the title of their kind. `onMore` shows more of a kind. */
export const FindingTable = ({
  columns,
  kinds,
  findings,
  onMore,
}: {
  columns: readonly Column<TrackedFinding>[]
  kinds: readonly Kind[]
  findings: readonly TrackedFinding[]
  onMore: (code: string) => void
}) => {
  const { cloud } = useCloud()
  const byCode = new Map(groupFindings(findings).map((group) => [group.code, group.findings]))
  const groups = kinds.map((kind) => {
    const rows = byCode.get(kind.code) ?? []
    const count = kind.error + kind.warning + kind.info
    return {
      key: kind.code,
      heading: (
        <span className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
          {kind.title}
          <small className="whitespace-nowrap font-[450] text-ink2 text-small">{severityCounts(kind)}</small>
          <span className="ml-auto">
            {rows.some(({ mute }) => mute !== null) ? (
              <UnmuteButton code={kind.code} title={kind.title} size="small" />
            ) : rows.every(({ state }) => state === 'closed') ? null : (
              <MuteButton code={kind.code} title={kind.title} size="small" variant="ghost" />
            )}
          </span>
        </span>
      ),
      rows,
      foot:
        count > rows.length ? (
          <More count={count} shown={rows.length} onMore={() => onMore(kind.code)} />
        ) : undefined,
    }
  })
  const rows = groups.flatMap((group) => group.rows)
  const navigation = useRowNavigation({ rows, path: ({ id }) => findingPath({ cloud, id }) })
  return (
    <DataTable
      label="Findings by kind"
      columns={columns}
      rows={rows}
      groups={groups}
      rowKey={({ id }) => id}
      rowClass={({ state }) => (state === 'closed' ? 'align-baseline text-ink2' : 'align-baseline')}
      navigation={navigation}
      context={{ cloud }}
      headClass="max-md:sr-only"
    />
  )
}

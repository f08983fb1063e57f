import { ChevronRight } from 'lucide-react'
import type { Column } from '@/components/table/column'
import { Unknown } from '@/components/ui/key-values'
import { ShareBar } from '@/components/ui/share-bar'
import { capacityShare, isNear, isOver, usedShare } from '@/lib/domain/limits/arrange-quotas'
import type { QuotaClass, QuotaRow, QuotaSort } from '@/lib/schemas/api/quota'
import { classNames } from '@/lib/util/class-names'
import { formatCount, formatShare } from '@/lib/util/format'
import { LimitFigure } from './limit-figure'
import { className, movingText } from './quota-labels'

/** The limit of a project with its resource class. */
type QuotaLine = QuotaRow & { of: QuotaClass | undefined }

type Context = {
  isChosen: (row: QuotaRow) => boolean
  onChoose: (row: QuotaRow, isChosen: boolean) => void
  isOpen: (row: QuotaRow) => boolean
  onOpen: (row: QuotaRow, isOpen: boolean) => void
}

export const quotaLines = ({
  classes,
  rows,
}: {
  classes: readonly QuotaClass[]
  rows: readonly QuotaRow[]
}): QuotaLine[] => {
  const byName = new Map(classes.map((each) => [each.resourceName, each]))
  return rows.map((row) => ({ ...row, of: byName.get(row.resourceName) }))
}

/** The used share of a limit, as a bar next to the numbers. */
const UseMeter = ({ row }: { row: QuotaRow }) => {
  const share = usedShare(row)
  if (share === null || (share === 0 && row.limit.kind === 'number' && row.limit.value <= 0)) return null
  return (
    <span className="flex items-center gap-2">
      <ShareBar share={share} tone={isOver(row) ? 'bad' : isNear(row) ? 'warn' : 'accent'} className="w-24" />
      <span
        className={classNames(
          'whitespace-nowrap tabular-nums',
          isOver(row) ? 'font-[550] text-bad' : isNear(row) ? 'text-warn' : 'text-ink2',
        )}
      >
        {isOver(row) || !Number.isFinite(share) ? 'over' : formatShare(share)}
      </span>
    </span>
  )
}

const shareOf = ({ of, ...row }: QuotaLine): number | null =>
  of === undefined ? null : capacityShare(row, of)

const Share = ({ line }: { line: QuotaLine }) => {
  const share = shareOf(line)
  if (share !== null)
    return <span className={classNames(share > 1 && 'text-warn')}>{formatShare(share)}</span>
  const { limit, of } = line
  const noCapacity = of?.capacity === null ? 'no GPU provider offers it' : of?.capacity?.reason
  return <Unknown reason={limit.kind === 'unlimited' ? 'no limit' : (noCapacity ?? 'the limit is unknown')} />
}

const ProjectName = ({
  row,
  isOpen,
  onOpen,
}: {
  row: QuotaLine
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}) => (
  <button
    type="button"
    aria-expanded={isOpen}
    title="vGPUs that the project used over time"
    onClick={() => onOpen(!isOpen)}
    className="inline-flex items-baseline gap-1 text-left font-[550] wrap-anywhere hover:text-accent-ink"
  >
    <ChevronRight
      size={12}
      aria-hidden
      className={classNames('flex-none text-ink3 print:hidden', isOpen && 'rotate-90')}
    />
    {row.projectName}
  </button>
)

/** Limits of projects. */
export const QUOTA_COLUMNS: readonly Column<QuotaLine, Context, QuotaSort>[] = [
  {
    id: 'chosen',
    header: 'Selected',
    isHeaderHidden: true,
    isFixed: true,
    width: 'w-0 pr-0 print:hidden',
    className: 'w-0 pr-0 print:hidden',
    cell: (row, { isChosen, onChoose }) => (
      <input
        type="checkbox"
        aria-label={`Select ${className(row.resourceName)} of ${row.projectName}`}
        checked={isChosen(row)}
        onChange={(event) => onChoose(row, event.target.checked)}
      />
    ),
  },
  {
    id: 'project',
    header: 'Project',
    sort: 'project',
    isRising: true,
    isFixed: true,
    className: 'min-w-32 font-[550] wrap-anywhere',
    cell: (row, { isOpen, onOpen }) => (
      <>
        <ProjectName row={row} isOpen={isOpen(row)} onOpen={(isNowOpen) => onOpen(row, isNowOpen)} />
        <div className="font-normal md:hidden">
          <p className="text-ink2 text-small">{className(row.resourceName)}</p>
          <UseMeter row={row} />
        </div>
      </>
    ),
    csv: ({ projectName }) => projectName,
  },
  { id: 'project_id', csv: ({ projectId }) => projectId },
  {
    id: 'resource',
    header: 'Class',
    sort: 'class',
    isRising: true,
    phone: 'hidden',
    cell: ({ resourceName }) => className(resourceName),
    csv: ({ resourceName }) => resourceName,
  },
  {
    id: 'limit',
    header: 'Limit',
    sort: 'limit',
    isNumber: true,
    className: 'whitespace-nowrap',
    cell: ({ limit }) => <LimitFigure limit={limit} hasOrigin />,
    csv: ({ limit }) => (limit.kind === 'number' ? limit.value : limit.kind === 'unlimited' ? 'none' : null),
  },
  { id: 'limit_from', csv: ({ limit }) => limit.origin },
  {
    id: 'used',
    header: 'Used',
    title: 'Allocations of the project in Placement',
    sort: 'used',
    isNumber: true,
    cell: ({ used, moving }) => (
      <>
        {used.value === null ? <Unknown reason={used.reason} /> : formatCount(used.value)}
        {moving.amount === 0 ? null : (
          <p className="max-w-[36ch] text-left text-small text-warn">{movingText(moving)}</p>
        )}
      </>
    ),
    csv: ({ used }) => used.value,
  },
  { id: 'used_twice_by_moves', csv: ({ moving }) => moving.amount },
  {
    id: 'left',
    header: 'Left',
    sort: 'left',
    isRising: true,
    isNumber: true,
    className: (row) => classNames('whitespace-nowrap', isOver(row) && 'font-[550] text-bad'),
    cell: ({ left, limit }) =>
      left === null ? (
        <Unknown reason={limit.kind === 'unlimited' ? 'no limit' : 'limit or use is unknown'} />
      ) : (
        formatCount(left)
      ),
    csv: ({ left }) => left,
  },
  {
    id: 'use',
    header: 'Use',
    title: 'Used of the limit',
    sort: 'use',
    phone: 'hidden',
    cell: (row) => <UseMeter row={row} />,
  },
  { id: 'capacity', csv: ({ of }) => of?.capacity?.value ?? null },
  {
    id: 'share_of_capacity_percent',
    header: 'Of capacity',
    title: 'The limit’s share of the capacity',
    sort: 'share',
    isNumber: true,
    phone: 'hidden',
    className: 'whitespace-nowrap',
    cell: (line) => <Share line={line} />,
    csv: (line) => {
      const share = shareOf(line)
      return share === null ? null : Math.round(share * 1000) / 10
    },
  },
]

'use client'

import { ChevronRight } from 'lucide-react'
import { useQueryStates } from 'nuqs'
import { SmallHistory } from '@/components/capacity/small-history'
import { RefusedPanel } from '@/components/demand/refused-panel'
import { useCloud } from '@/components/shell/use-cloud'
import { Unknown } from '@/components/ui/key-values'
import { SortThs, type TableColumn } from '@/components/ui/sort-ths'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import { capacityShare, isNear, isOver, usedShare } from '@/lib/domain/limits/arrange-quotas'
import type { QuotaClass, QuotaRow, QuotaSort } from '@/lib/schemas/api/quota'
import { classNames } from '@/lib/util/class-names'
import { formatCount } from '@/lib/util/format'
import { LimitFigure } from './limit-figure'
import { quotaSearchParams } from './quota-search-params'
import { className, movingWords, percentWords } from './quota-words'

/** The used share of a limit, as a bar next to the numbers. */
const UseMeter = ({ row }: { row: QuotaRow }) => {
  const share = usedShare(row)
  if (share === null || (share === 0 && row.limit.kind === 'number' && row.limit.value <= 0)) return null
  const width = `${Math.min(1, share) * 100}%`
  const color = isOver(row) ? 'bg-bad' : isNear(row) ? 'bg-warn' : 'bg-accent'
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden className="block h-2 w-24 overflow-hidden rounded-tag bg-cell">
        <span
          className={classNames('block h-full forced-colors:forced-color-adjust-none', color)}
          style={{ width }}
        />
      </span>
      <span
        className={classNames(
          'whitespace-nowrap tabular-nums',
          isOver(row) ? 'font-[550] text-bad' : isNear(row) ? 'text-warn' : 'text-ink2',
        )}
      >
        {isOver(row) ? 'over' : Number.isFinite(share) ? percentWords(share) : 'over'}
      </span>
    </span>
  )
}

const Used = ({ row: { used, moving } }: { row: QuotaRow }) => (
  <>
    {used.value === null ? <Unknown reason={used.reason} /> : formatCount(used.value)}
    {moving.amount === 0 ? null : (
      <p className="max-w-[36ch] text-left text-small text-warn">{movingWords(moving)}</p>
    )}
  </>
)

const Share = ({ row, of }: { row: QuotaRow; of: QuotaClass | undefined }) => {
  const share = of === undefined ? null : capacityShare(row, of)
  if (share !== null)
    return <span className={classNames(share > 1 && 'text-warn')}>{percentWords(share)}</span>
  const noCapacity = of?.capacity === null ? 'no GPU provider offers it' : of?.capacity?.reason
  return (
    <Unknown
      reason={row.limit.kind === 'unlimited' ? 'there is no limit' : (noCapacity ?? 'the limit is not known')}
    />
  )
}

const ProjectName = ({
  row,
  isOpen,
  onOpen,
}: {
  row: QuotaRow
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

/** One project and class, and the history of the project under it while it is open. */
const QuotaTableRow = ({
  row,
  of,
  isChosen,
  cloud,
  isOpen,
  onChoose,
  onOpen,
}: {
  row: QuotaRow
  of: QuotaClass | undefined
  isChosen: boolean
  cloud: string | null
  isOpen: boolean
  onChoose: (isChosen: boolean) => void
  onOpen: (isOpen: boolean) => void
}) => {
  const name = className(row.resourceName)
  return (
    <>
      <Tr className={classNames('align-baseline', isChosen ? 'bg-sel' : 'hover:bg-bg')}>
        <Td className="w-0 pr-0 print:hidden">
          <input
            type="checkbox"
            aria-label={`Choose ${name} of ${row.projectName}`}
            checked={isChosen}
            onChange={(event) => onChoose(event.target.checked)}
          />
        </Td>
        <Td className="min-w-32 font-[550] wrap-anywhere">
          <ProjectName row={row} isOpen={isOpen} onOpen={onOpen} />
          <div className="font-normal md:hidden">
            <p className="text-ink2 text-small">{name}</p>
            <UseMeter row={row} />
          </div>
        </Td>
        <Td className="max-md:hidden">{name}</Td>
        <Td isNumber className="whitespace-nowrap">
          <LimitFigure limit={row.limit} hasOrigin />
        </Td>
        <Td isNumber>
          <Used row={row} />
        </Td>
        <Td isNumber className={classNames('whitespace-nowrap', isOver(row) && 'font-[550] text-bad')}>
          {row.left === null ? (
            <Unknown
              reason={row.limit.kind === 'unlimited' ? 'there is no limit' : 'limit or use is not known'}
            />
          ) : (
            formatCount(row.left)
          )}
        </Td>
        <Td className="max-md:hidden">
          <UseMeter row={row} />
        </Td>
        <Td isNumber className="whitespace-nowrap max-md:hidden">
          <Share row={row} of={of} />
        </Td>
      </Tr>
      {isOpen ? (
        <Tr>
          <Td colSpan={8}>
            <SmallHistory cloud={cloud} of={{ by: 'project', key: row.projectId }} />
            <RefusedPanel cloud={cloud} of={{ by: 'project', key: row.projectId }} className="mt-2" />
          </Td>
        </Tr>
      ) : null}
    </>
  )
}

const COLUMNS: readonly TableColumn<QuotaSort>[] = [
  { name: 'Project', sort: 'project' },
  { name: 'Class', sort: 'class', className: 'max-md:hidden' },
  { name: 'Limit', sort: 'limit', isNumber: true },
  { name: 'Used', sort: 'used', isNumber: true, title: 'Placement’s count over all that the project holds' },
  { name: 'Left', sort: 'left', isNumber: true },
  { name: 'Use', sort: 'use', title: 'Used of the limit', className: 'max-md:hidden' },
  {
    name: 'Of capacity',
    sort: 'share',
    isNumber: true,
    title: 'The limit’s share of what there is',
    className: 'max-md:hidden',
  },
]

/** Names and what is left begin with the smallest, the rest with the largest; `desc` turns either round. */
const RISING: readonly QuotaSort[] = ['project', 'class', 'left']
const isRising = (column: QuotaSort, desc: boolean): boolean => RISING.includes(column) !== desc

const Head = () => {
  const [{ sort, desc }, setParams] = useQueryStates(quotaSearchParams)
  return (
    <thead>
      <tr>
        <Th className="pr-0 print:hidden">
          <span className="sr-only">Chosen</span>
        </Th>
        <SortThs
          columns={COLUMNS}
          sorting={{ sort, isRising: isRising(sort, desc) }}
          onSort={(column) => void setParams({ sort: column, desc: column === sort ? !desc : false })}
        />
      </tr>
    </thead>
  )
}

export const rowKey = ({ resourceName, projectId }: Pick<QuotaRow, 'resourceName' | 'projectId'>): string =>
  `${resourceName} ${projectId}`

export const QuotaTable = ({
  classes,
  rows,
  chosen,
  onChoose,
}: {
  classes: readonly QuotaClass[]
  rows: readonly QuotaRow[]
  chosen: ReadonlySet<string>
  onChoose: (row: QuotaRow, isChosen: boolean) => void
}) => {
  const { cloud } = useCloud()
  const [{ history }, setParams] = useQueryStates(quotaSearchParams)
  const byClass = new Map(classes.map((each) => [each.resourceName, each]))
  return (
    <TablePanel>
      <Table aria-label="Limits of projects">
        <Head />
        <tbody>
          {rows.map((row) => (
            <QuotaTableRow
              key={rowKey(row)}
              row={row}
              of={byClass.get(row.resourceName)}
              isChosen={chosen.has(rowKey(row))}
              cloud={cloud}
              isOpen={history === rowKey(row)}
              onOpen={(isOpen) => void setParams({ history: isOpen ? rowKey(row) : null })}
              onChoose={(isChosen) => onChoose(row, isChosen)}
            />
          ))}
        </tbody>
      </Table>
    </TablePanel>
  )
}

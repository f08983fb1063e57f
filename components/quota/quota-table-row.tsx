import { ChevronRight } from 'lucide-react'
import { SmallHistory } from '@/components/capacity/small-history'
import { RefusedPanel } from '@/components/demand/refused-panel'
import { Unknown } from '@/components/ui/key-values'
import { Td, Tr } from '@/components/ui/table'
import { capacityShare, isOver } from '@/lib/domain/limits/arrange-quotas'
import type { QuotaClass, QuotaRow } from '@/lib/schemas/api/quota'
import { classNames } from '@/lib/util/class-names'
import { formatCount } from '@/lib/util/format'
import { LimitFigure } from './limit-figure'
import { className, movingWords, percentWords } from './quota-words'
import { UseMeter } from './use-meter'

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
export const QuotaTableRow = ({
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

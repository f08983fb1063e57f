import { isNear, isOver, usedShare } from '@/lib/domain/limits/arrange-quotas'
import type { QuotaRow } from '@/lib/schemas/api/quota'
import { classNames } from '@/lib/util/class-names'
import { percentWords } from './quota-words'

/** The used share of a limit, as a bar next to the numbers. */
export const UseMeter = ({ row }: { row: QuotaRow }) => {
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

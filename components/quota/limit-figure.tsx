import { Unknown } from '@/components/ui/key-values'
import type { QuotaLimit } from '@/lib/schemas/api/quota'
import { classNames } from '@/lib/util/class-names'
import { formatLimit, ORIGIN_LABELS } from './quota-labels'

/** A limit with where it comes from, where that is not plain. */
export const LimitFigure = ({ limit, hasOrigin = false }: { limit: QuotaLimit; hasOrigin?: boolean }) => {
  const words = formatLimit(limit)
  const isMissing = limit.origin === 'missing'
  return (
    <>
      {words ?? <Unknown reason={limit.kind === 'unknown' ? limit.because : null} />}
      {hasOrigin || isMissing ? (
        <span className={classNames('ml-1.5 text-small', isMissing ? 'text-warn' : 'text-ink3')}>
          {ORIGIN_LABELS[limit.origin]}
        </span>
      ) : null}
    </>
  )
}

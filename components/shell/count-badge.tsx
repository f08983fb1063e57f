import { classNames } from '@/lib/util/class-names'
import { formatCount } from '@/lib/util/format'

/** A number at the end of a link, with its meaning for a screen reader and on hover. */
export const CountBadge = ({ count, label, tone }: { count: number; label: string; tone: string }) => (
  <>
    <span
      aria-hidden
      title={label}
      className={classNames('rounded-tag px-[5px] font-semibold text-tiny tabular-nums leading-[16px]', tone)}
    >
      {formatCount(count)}
    </span>
    <span className="sr-only"> {label}</span>
  </>
)

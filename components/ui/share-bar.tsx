import { classNames } from '@/lib/util/class-names'

const FILLS = { accent: 'fill-accent', warn: 'fill-warn', bad: 'fill-bad', muted: 'fill-ink3' } as const

/** A share of a whole as a bar, full from 1. Screen readers read the numbers next to it. */
export const ShareBar = ({
  share,
  tone = 'accent',
  className,
}: {
  share: number
  tone?: keyof typeof FILLS
  className?: string
}) => (
  <svg
    aria-hidden="true"
    width="100%"
    height="6"
    className={classNames('stack block rounded-tag', className)}
  >
    <rect width="100%" height="100%" className="stack-rest" />
    <rect width={`${Math.min(1, Math.max(0, share)) * 100}%`} height="100%" className={FILLS[tone]} />
  </svg>
)

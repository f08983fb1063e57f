import { classNames } from '@/lib/util/class-names'

const tones = { error: 'text-bad', warning: 'text-warn', info: 'text-ink2' } as const
const words = { error: 'Error: ', warning: 'Warning: ', info: '' } as const

/** A short sentence with its urgency as sign, colour and (for a screen reader) word. */
export const SeverityText = ({
  severity,
  children,
  className,
}: {
  severity: keyof typeof tones
  children: string
  className?: string
}) => (
  <span
    className={classNames('sign text-small', tones[severity], className)}
    data-severity={severity}
    title={children}
  >
    <span className="sr-only">{words[severity]}</span>
    {children}
  </span>
)

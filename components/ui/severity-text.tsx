import type { ReactNode } from 'react'
import { classNames } from '@/lib/util/class-names'

const tones = { error: 'text-bad', warning: 'text-warn', info: 'text-ink2' } as const
const words = { error: 'Error: ', warning: 'Warning: ', info: 'Note: ' } as const

/** A short sentence with its urgency as sign and colour; the sign has a name for a screen reader. `children`: it as it is drawn. `isOld`: of a silent host, so without colour. */
export const SeverityText = ({
  severity,
  isOld = false,
  children,
}: {
  severity: keyof typeof tones
  isOld?: boolean
  children: ReactNode
}) => (
  <span
    className={classNames('sign text-small', isOld ? 'text-ink3' : tones[severity])}
    data-severity={severity}
    data-word={words[severity]}
    title={typeof children === 'string' ? children : undefined}
  >
    {children}
  </span>
)

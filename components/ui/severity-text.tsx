import type { ReactNode } from 'react'
import { classNames } from '@/lib/util/class-names'

const tones = { error: 'text-bad', warning: 'text-warn', info: 'text-ink2' } as const
const words = { error: 'Error: ', warning: 'Warning: ', info: 'Note: ' } as const

/**
 * A short sentence with its severity as icon and color; the icon has a name for a screen reader. `children`: the sentence
 * as rendered. `isOld`: of a silent host, so without color.
 */
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

import type { ReactNode } from 'react'
import { classNames } from '@/lib/util/class-names'

/** Scrolls sideways when its table is wider than the panel, by keyboard too. Holds what is hidden inside within itself. */
export const SideScroll = ({ children, className }: { children: ReactNode; className?: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reached by keyboard (WCAG 2.1.1)
  <div tabIndex={0} className={classNames('relative -mx-3.5 overflow-x-auto', className)}>
    {children}
  </div>
)

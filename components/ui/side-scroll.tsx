import type { ReactNode } from 'react'
import { classNames } from '@/lib/util/class-names'

/** Scrolls sideways when its table is wider than the panel, by keyboard too; on paper it is drawn smaller instead. Holds what is hidden inside within itself. */
export const SideScroll = ({ children, className }: { children: ReactNode; className?: string }) => (
  <div
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reached by keyboard (WCAG 2.1.1)
    tabIndex={0}
    className={classNames(
      'relative -mx-3.5 overflow-x-auto print:overflow-visible print:[&_*]:whitespace-normal print:[zoom:0.75]',
      className,
    )}
  >
    {children}
  </div>
)

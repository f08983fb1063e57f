import type { ReactNode } from 'react'
import { classNames } from '@/lib/util/class-names'

/** What the areas and lines of a chart are. */
export const Legend = ({ label = 'Legend', children }: { label?: string; children: ReactNode }) => (
  <ul aria-label={label} className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-ink2 text-small">
    {children}
  </ul>
)

/** An area, by its background. */
export const LegendArea = ({ swatch, children }: { swatch: string; children: ReactNode }) => (
  <li className="flex items-center gap-1.5">
    <span aria-hidden className="size-3 rounded-[3px] border border-edge" style={{ background: swatch }} />
    {children}
  </li>
)

/** A line; `className` is its colour and its dashes. */
export const LegendLine = ({ className, children }: { className: string; children: ReactNode }) => (
  <li className="flex items-center gap-1.5">
    <span aria-hidden className={classNames('h-0 w-4 border-t-2', className)} /> {children}
  </li>
)

import type { ReactNode } from 'react'
import { classNames } from '@/lib/util/class-names'

/** A card for a group of details, with an optional heading. */
export const Panel = ({
  title,
  note,
  actions,
  children,
  className,
}: {
  title?: string
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
  className?: string
}) => (
  <section
    {...(title === undefined ? {} : { 'aria-label': title })}
    className={classNames('rounded-panel border border-line bg-panel px-3.5 py-3', className)}
  >
    {title === undefined ? null : (
      <div className="mb-2 flex flex-wrap items-baseline gap-x-2">
        <h2 className="m-0 font-semibold text-body">{title}</h2>
        {note === undefined ? null : <span className="text-ink3 text-small">{note}</span>}
        {actions === undefined ? null : <div className="ml-auto flex gap-2">{actions}</div>}
      </div>
    )}
    {children}
  </section>
)

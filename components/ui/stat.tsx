import type { ReactNode } from 'react'
import { classNames } from '@/lib/util/class-names'

/** A strip of figures with their words: `<StatStrip><Stat …/></StatStrip>`. */
export const StatStrip = ({
  label,
  className,
  children,
}: {
  label: string
  className?: string
  children: ReactNode
}) => (
  <dl
    aria-label={label}
    className={classNames(
      'mb-3.5 grid grid-cols-2 overflow-hidden rounded-panel border border-line bg-panel sm:grid-cols-3 xl:flex xl:[&>*]:flex-1 xl:[&>*:first-child]:flex-[1.3]',
      className,
    )}
  >
    {children}
  </dl>
)

export const Stat = ({
  label,
  mark,
  value,
  note,
  tone = 'plain',
  children,
}: {
  label: ReactNode
  /** Class of the label that draws a small sign before it. */
  mark?: string
  /** Null: unknown, drawn as a dash; say why in `note`. */
  value: string | null
  note?: ReactNode
  tone?: 'plain' | 'warn' | 'bad'
  /** Under the figure. */
  children?: ReactNode
}) => (
  <div className="-mt-px -ml-px border-line2 border-t border-l px-3.5 pt-2.5 pb-2">
    <dt className={classNames(mark, 'flex items-center gap-[7px] truncate text-ink2 text-small')}>{label}</dt>
    <dd className="mt-px">
      <span className={classNames('figure', tone === 'warn' && 'text-warn', tone === 'bad' && 'text-bad')}>
        {value ?? '–'}
      </span>
      {note === undefined ? null : (
        <small className="ml-[5px] text-ink3 text-small leading-[17px]">{note}</small>
      )}
      {children}
    </dd>
  </div>
)

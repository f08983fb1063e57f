import type { ReactNode } from 'react'

/** The point under the pointer: its time, and its numbers as text; a row of null is left out. */
export const PointBox = ({
  title,
  rows,
  unknown,
  children,
}: {
  title: string
  rows: readonly (readonly [name: string, value: string | null])[]
  /** Replaces the rows if nothing is known. */
  unknown?: string | null
  children?: ReactNode
}) => (
  <div className="max-w-80 rounded-control border border-line bg-panel px-2.5 py-1.5 text-small shadow-float">
    <p className="mb-0.5 font-semibold">{title}</p>
    {unknown == null ? (
      <dl className="grid grid-cols-[auto_auto] gap-x-3 tabular-nums">
        {rows.map(([name, value]) =>
          value === null ? null : (
            <div key={name} className="contents">
              <dt className="text-ink2">{name}</dt>
              <dd className="text-right">{value}</dd>
            </div>
          ),
        )}
      </dl>
    ) : (
      <p className="text-ink2">{unknown}</p>
    )}
    {children}
  </div>
)

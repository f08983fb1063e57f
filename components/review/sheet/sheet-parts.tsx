import type { ReactNode } from 'react'
import { classNames } from '@/lib/util/class-names'

/** A figure of the head: `null` is unknown, drawn as a dash with its reason under it. */
export const SheetFigure = ({
  label,
  value,
  unit,
  notes,
  isWarning = false,
}: {
  label: string
  value: string | null
  unit?: string | null | undefined
  notes: readonly (string | null)[]
  isWarning?: boolean
}) => (
  <div className="border-line2 border-l px-3.5 max-sm:py-2 max-sm:odd:border-0 max-sm:odd:pl-0 sm:[&:nth-child(3n+1)]:border-0 sm:[&:nth-child(3n+1)]:pl-0 xl:[&:nth-child(3n+1)]:border-l xl:[&:nth-child(3n+1)]:pl-3.5 xl:first:border-0! xl:first:pl-0! print:border-l! print:pl-2.5! print:pr-1.5 print:first:border-0! print:first:pl-0!">
    <dt className="text-ink2 text-small">{label}</dt>
    <dd>
      <span className={classNames('figure', isWarning && 'text-warn')}>{value ?? '–'}</span>
      {unit && value !== null ? <small className="ml-[5px] text-ink3 text-small">{unit}</small> : null}
      {notes.map((note) =>
        note === null ? null : (
          <p key={note} className="text-ink2 text-small wrap-anywhere">
            {note}
          </p>
        ),
      )}
    </dd>
  </div>
)

export const SheetPart = ({
  title,
  note,
  className,
  children,
}: {
  title: string
  note?: string | undefined
  className?: string
  children: ReactNode
}) => (
  <section aria-label={title} className={classNames('min-w-0 break-inside-avoid', className)}>
    <h3 className="m-0 mb-1.5 font-semibold text-body">
      {title}
      {note === undefined ? null : <span className="ml-1.5 font-[450] text-ink3">{note}</span>}
    </h3>
    {children}
  </section>
)

/** Lines of a part; with none, why. */
export const SheetLines = ({ lines, none }: { lines: readonly ReactNode[]; none: string }) =>
  lines.length === 0 ? (
    <p className="text-ink2">{none}</p>
  ) : (
    <ul className="m-0 list-none p-0">
      {lines.map((line, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a frozen document never move
          key={index}
          className="border-line2 border-b py-[5px] last:border-0 wrap-anywhere xl:py-1 print:py-1"
        >
          {line}
        </li>
      ))}
    </ul>
  )

const cell = 'border-line2 border-b py-[5px] pr-2 last:pr-0 group-last:border-0 xl:py-1 print:py-1'

/** A small table; columns from the second one on are numbers. */
export const SheetTable = ({
  label,
  head,
  rows,
}: {
  label: string
  head: readonly string[]
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}) => (
  <table aria-label={label} className="w-full border-separate border-spacing-0">
    <thead>
      <tr>
        {head.map((name, column) => (
          <th
            key={name}
            scope="col"
            className={classNames(
              'border-line2 border-b pr-2 pb-1 font-[550] text-ink2 text-small last:pr-0',
              column === 0 ? 'text-left' : 'text-right',
            )}
          >
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ key, cells }) => (
        <tr key={key} className="group">
          {cells.map((content, column) => (
            <td
              key={head[column]}
              className={classNames(
                cell,
                column === 0 ? 'wrap-anywhere' : 'whitespace-nowrap text-right tabular-nums',
              )}
            >
              {content}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

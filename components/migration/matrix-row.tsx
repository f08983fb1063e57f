import Link from 'next/link'
import { memo } from 'react'
import { classNames } from '@/lib/util/class-names'
import { hostPath } from '@/lib/util/paths'
import { type MatrixLine, type Ways, wayOf } from './matrix-lines'
import { lineName, wayLabel } from './way-labels'
import { WAY_STYLES } from './way-styles'

/** The name of a line as a way to its host; of several hosts to the first, and how many more are like it. */
export const LineLink = ({ line, cloud }: { line: MatrixLine; cloud: string | null }) => (
  <Link
    href={hostPath({ cloud, host: line.first.name })}
    prefetch={false}
    tabIndex={-1}
    title={lineName(line)}
    className={classNames('hover:text-accent-ink hover:underline', line.first.isSilent && 'text-ink3 italic')}
  >
    {line.first.name}
    {line.hosts.length === 1 ? null : <span className="text-ink3"> +{line.hosts.length - 1}</span>}
  </Link>
)

const Cell = ({
  from,
  to,
  ways,
  column,
  isStop,
  isChosen,
}: {
  from: MatrixLine
  to: MatrixLine
  ways: Ways
  column: number
  isStop: boolean
  isChosen: boolean
}) => {
  const way = wayOf(ways, from, to)
  // ARIA in HTML allows the role on a table's cell; Biome's rules do not know it.
  const cell = {
    role: 'gridcell',
    'aria-selected': isChosen,
    'data-column': column,
    tabIndex: isStop ? 0 : -1,
  }
  if (way === null) return <td {...cell} aria-label="the same host" className="way-cell way-self" />
  return (
    <td
      {...cell}
      aria-label={wayLabel(way, { from, to })}
      className={classNames(
        'way-cell cursor-pointer',
        WAY_STYLES[way.verdict],
        way.cautions.length > 0 && way.verdict === 'possible' && 'way-cautioned',
      )}
    />
  )
}

type MatrixRowProps = {
  line: MatrixLine
  lines: readonly MatrixLine[]
  ways: Ways
  row: number
  cloud: string | null
  /** Column of the one cell that Tab reaches, -1 its header; null: it is in another row. */
  stop: number | null
  /** Column of the chosen cell. */
  chosen: number | null
}

/** Everything that goes out from one host. Drawn again only when its own cells change. */
export const MatrixRow = memo(({ line, lines, ways, row, cloud, stop, chosen }: MatrixRowProps) => (
  <tr data-row={row}>
    <th
      scope="row"
      data-column={-1}
      tabIndex={stop === -1 ? 0 : -1}
      className="sticky left-0 z-10 whitespace-nowrap bg-panel py-0 pr-2 pl-3.5 text-left font-[450] max-sm:max-w-32 max-sm:truncate"
    >
      <LineLink line={line} cloud={cloud} />
      <span className="ml-2 text-ink3 text-small max-sm:hidden">
        {line.first.driverVersion ?? 'no driver'}
      </span>
    </th>
    {lines.map((to, column) => (
      <Cell
        key={to.first.name}
        from={line}
        to={to}
        ways={ways}
        column={column}
        isStop={stop === column}
        isChosen={chosen === column}
      />
    ))}
  </tr>
))

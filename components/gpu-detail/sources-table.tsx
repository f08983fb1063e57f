import { Moment } from '@/components/shell/moment'
import { Table, Td, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { classNames } from '@/lib/util/class-names'
import { ODD_CELL, SourceCellContent } from './source-cell'
import {
  COLUMN_WORDS,
  oddBecause,
  SOURCE_COLUMNS,
  type SourceColumn,
  type SourceRow,
  type Sources,
} from './source-words'

const ColumnTime = ({ time: { at, note } }: { time: Sources['times'][SourceColumn] }) => (
  <span className="block font-[450] text-ink3 text-tiny">
    {at === null ? 'never heard' : <Moment at={at} />}
    {note === null ? null : (
      <Tag tone="warn" className="ml-1" title={note}>
        old<span className="sr-only">: {note}</span>
      </Tag>
    )}
  </span>
)

const WideRow = ({ row }: { row: SourceRow }) => (
  <Tr>
    <th
      scope="row"
      className="whitespace-nowrap border-line2 border-b py-1.5 pr-2.5 pl-3.5 text-left align-top font-[450] text-ink2 [tr:last-child>&]:border-b-0"
    >
      {row.label}
    </th>
    {SOURCE_COLUMNS.map((column) => {
      const because = oddBecause(row, column)
      return (
        <Td key={column} className={classNames('align-top', because !== null && ODD_CELL)}>
          <SourceCellContent cell={row[column]} because={because} />
        </Td>
      )
    })}
  </Tr>
)

/** The four sources side by side. */
export const SourcesTable = ({ sources: { rows, times } }: { sources: Sources }) => (
  <div className="-mx-3.5 -mb-3 max-md:hidden">
    <Table className="table-fixed">
      <thead>
        <tr>
          <td className="w-[152px] border-line border-b" />
          {SOURCE_COLUMNS.map((column) => (
            <th
              key={column}
              scope="col"
              className="border-line border-b px-2.5 pb-1.5 text-left align-top font-[550] text-small"
            >
              {COLUMN_WORDS[column]}
              <ColumnTime time={times[column]} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <WideRow key={row.key} row={row} />
        ))}
      </tbody>
    </Table>
  </div>
)

const NarrowRow = ({ row }: { row: SourceRow }) => (
  <li className="border-line2 border-t py-2 first:border-t-0">
    <h3 className="m-0 font-[550]">{row.label}</h3>
    <dl className="mt-1 grid grid-cols-[76px_minmax(0,1fr)] items-start gap-y-0.5">
      {SOURCE_COLUMNS.filter((column) => row[column] !== null).map((column) => {
        const because = oddBecause(row, column)
        return (
          <div key={column} className="contents">
            <dt className="py-0.5 text-ink2 text-small">{COLUMN_WORDS[column]}</dt>
            <dd className={classNames('min-w-0 rounded-tag px-1.5 py-0.5', because !== null && ODD_CELL)}>
              <SourceCellContent cell={row[column]} because={because} />
            </dd>
          </div>
        )
      })}
    </dl>
  </li>
)

/** The same for a narrow screen: one row below the other. */
export const SourcesStack = ({ sources: { rows, times } }: { sources: Sources }) => (
  <div className="md:hidden">
    <dl className="mb-1 grid grid-cols-[76px_minmax(0,1fr)] rounded-control bg-bg px-2 py-1.5 text-small">
      {SOURCE_COLUMNS.map((column) => (
        <div key={column} className="contents">
          <dt className="text-ink2">{COLUMN_WORDS[column]}</dt>
          <dd>
            <ColumnTime time={times[column]} />
          </dd>
        </div>
      ))}
    </dl>
    <ul>
      {rows.map((row) => (
        <NarrowRow key={row.key} row={row} />
      ))}
    </ul>
  </div>
)

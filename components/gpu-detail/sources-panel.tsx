'use client'

import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { UnknownNote } from '@/components/cloud/unknown-note'
import { LoadProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { Table, Td, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { gpuSourcesOptions } from '@/lib/api/gpu-sources'
import type { GpuSources } from '@/lib/schemas/api/sources'
import { classNames } from '@/lib/util/class-names'
import {
  agreementText,
  COLUMN_LABELS,
  oddBecause,
  SOURCE_COLUMNS,
  type SourceCell,
  type SourceColumn,
  type SourceRow,
  type Sources,
} from './source-labels'

/** Outline and stripes: shape and text mark the differing cell, in addition to color. */
const ODD_CELL =
  'outline-2 outline-warn -outline-offset-2 bg-[repeating-linear-gradient(-45deg,var(--warn2)_0_5px,var(--panel)_5px_10px)]'

/** The value of one source in one row. Empty if the source has no such value, a dash with the reason if it is unknown. */
const SourceCellContent = ({
  cell,
  because,
}: {
  cell: SourceCell
  /** Why it is the odd one out; null: it is not. */
  because: string | null
}) => {
  if (cell === null) return <span className="sr-only">no value</span>
  return (
    <>
      {cell.value === null ? (
        <UnknownNote reason={cell.reason} />
      ) : (
        <span className="wrap-anywhere">{cell.value}</span>
      )}
      {because === null ? null : (
        <span className="mt-0.5 flex items-start gap-1 text-small text-warn">
          <TriangleAlert size={12} aria-hidden className="mt-[3px] flex-none" />
          <span className="rounded-tag bg-panel/80">{because}</span>
        </span>
      )}
    </>
  )
}

const ColumnTime = ({ time: { at, note } }: { time: Sources['times'][SourceColumn] }) => (
  <span className="block font-[450] text-ink3 text-tiny">
    {at === null ? 'never read' : <Moment at={at} />}
    {note === null ? null : (
      <Tag tone="warn" className="ml-1" title={note}>
        outdated<span className="sr-only">: {note}</span>
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
const SourcesTable = ({ sources: { rows, times } }: { sources: Sources }) => (
  <div className="-mx-3.5 -mb-3 @max-2xl:hidden">
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
              {COLUMN_LABELS[column]}
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
            <dt className="py-0.5 text-ink2 text-small">{COLUMN_LABELS[column]}</dt>
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
const SourcesStack = ({ sources: { rows, times } }: { sources: Sources }) => (
  <div className="@2xl:hidden">
    <dl className="mb-1 grid grid-cols-[76px_minmax(0,1fr)] rounded-control bg-bg px-2 py-1.5 text-small">
      {SOURCE_COLUMNS.map((column) => (
        <div key={column} className="contents">
          <dt className="text-ink2">{COLUMN_LABELS[column]}</dt>
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

const NotRead = ({ readAt }: Pick<GpuSources, 'readAt'>) => (
  <Panel title="Four sources">
    <p className="text-ink2">
      {readAt === null
        ? 'Only data of the host is available. Connect the cloud in clouds.yaml (see docs/operating.md) to compare it with Placement and Nova.'
        : 'The last report of the host does not contain this pGPU, so it cannot be compared with Placement.'}
    </p>
  </Panel>
)

/** Hardware, nova.conf, Placement and libvirt values of one pGPU. It loads and fails independently of the page. */
export const SourcesPanel = ({
  cloud,
  host,
  address,
}: {
  cloud: string | null
  host: string
  address: string
}) => {
  const query = useQuery(gpuSourcesOptions({ cloud, host, address }))
  const { data, error, isPending } = query
  if (isPending && error === null)
    return (
      <div role="status" aria-label="Loading the four sources">
        <Skeleton className="h-72 rounded-panel" />
      </div>
    )
  return (
    <div className="@container flex min-w-0 flex-col gap-3">
      <LoadProblem query={query} what="The four sources" />
      {data === undefined ? null : data.sources === null ? (
        <NotRead readAt={data.readAt} />
      ) : (
        <Panel title="Four sources" note={agreementText(data.sources)}>
          <SourcesTable sources={data.sources} />
          <SourcesStack sources={data.sources} />
        </Panel>
      )}
    </div>
  )
}

import { TriangleAlert } from 'lucide-react'
import { UnknownNote } from '@/components/cloud/unknown-note'
import { Moment } from '@/components/shell/moment'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { GpuSources } from '@/lib/schemas/api/sources'
import { COLUMN_LABELS, oddBecause, SOURCE_COLUMNS, type SourceColumn, type Sources } from './source-labels'

/** What the summary compares; the Sources tab has all of it. */
const COMPARED = [
  { key: 'type', label: 'vGPU type', isNumber: false },
  { key: 'total', label: 'Capacity', isNumber: true },
  { key: 'used', label: 'In use', isNumber: true },
] as const

const Value = ({ row, column }: { row: Sources['rows'][number] | undefined; column: SourceColumn }) => {
  const cell = row?.[column] ?? null
  if (row === undefined || cell === null) return <span className="text-ink3">–</span>
  const because = oddBecause(row, column)
  const value = cell.value === null ? <UnknownNote reason={cell.reason} /> : cell.value
  if (because === null) return value
  return (
    <span className="inline-flex items-center gap-1 font-semibold text-warn" title={because}>
      <TriangleAlert size={12} aria-hidden className="flex-none" />
      {value}
      <span className="sr-only">: {because}</span>
    </span>
  )
}

/** Type, capacity and use of a pGPU in each source, with the time of its last reading. */
export const SourceSummary = ({ sources: { sources } }: { sources: GpuSources }) =>
  sources === null ? null : (
    <Panel title="Source summary" note="the differing values are marked">
      <SideScroll className="-mb-3">
        <Table>
          <thead>
            <tr>
              <Th>Source</Th>
              {COMPARED.map(({ key, label, isNumber }) => (
                <Th key={key} isNumber={isNumber}>
                  {label}
                </Th>
              ))}
              <Th isNumber className="max-sm:hidden">
                Read
              </Th>
            </tr>
          </thead>
          <tbody>
            {SOURCE_COLUMNS.map((column) => (
              <Tr key={column}>
                <Td className="whitespace-nowrap">{COLUMN_LABELS[column]}</Td>
                {COMPARED.map(({ key, isNumber }) => (
                  <Td key={key} isNumber={isNumber}>
                    <Value row={sources.rows.find((row) => row.key === key)} column={column} />
                  </Td>
                ))}
                <Td isNumber className="whitespace-nowrap text-ink3 max-sm:hidden">
                  <Moment at={sources.times[column].at} />
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </SideScroll>
    </Panel>
  )

'use client'

import { useQueryStates } from 'nuqs'
import { useCloud } from '@/components/shell/use-cloud'
import { SortThs, type TableColumn } from '@/components/ui/sort-ths'
import { Table, TablePanel, Th } from '@/components/ui/table'
import type { QuotaClass, QuotaRow, QuotaSort } from '@/lib/schemas/api/quota'
import { quotaSearchParams } from './quota-search-params'
import { QuotaTableRow } from './quota-table-row'

const COLUMNS: readonly TableColumn<QuotaSort>[] = [
  { name: 'Project', sort: 'project' },
  { name: 'Class', sort: 'class', className: 'max-md:hidden' },
  { name: 'Limit', sort: 'limit', isNumber: true },
  { name: 'Used', sort: 'used', isNumber: true, title: 'Placement’s count over all that the project holds' },
  { name: 'Left', sort: 'left', isNumber: true },
  { name: 'Use', sort: 'use', title: 'Used of the limit', className: 'max-md:hidden' },
  {
    name: 'Of capacity',
    sort: 'share',
    isNumber: true,
    title: 'The limit’s share of what there is',
    className: 'max-md:hidden',
  },
]

/** Names and what is left begin with the smallest, the rest with the largest; `desc` turns either round. */
const RISING: readonly QuotaSort[] = ['project', 'class', 'left']
const isRising = (column: QuotaSort, desc: boolean): boolean => RISING.includes(column) !== desc

const Head = () => {
  const [{ sort, desc }, setParams] = useQueryStates(quotaSearchParams)
  return (
    <thead>
      <tr>
        <Th className="pr-0 print:hidden">
          <span className="sr-only">Chosen</span>
        </Th>
        <SortThs
          columns={COLUMNS}
          sorting={{ sort, isRising: isRising(sort, desc) }}
          onSort={(column) => void setParams({ sort: column, desc: column === sort ? !desc : false })}
        />
      </tr>
    </thead>
  )
}

export const rowKey = ({ resourceName, projectId }: Pick<QuotaRow, 'resourceName' | 'projectId'>): string =>
  `${resourceName} ${projectId}`

export const QuotaTable = ({
  classes,
  rows,
  chosen,
  onChoose,
}: {
  classes: readonly QuotaClass[]
  rows: readonly QuotaRow[]
  chosen: ReadonlySet<string>
  onChoose: (row: QuotaRow, isChosen: boolean) => void
}) => {
  const { cloud } = useCloud()
  const [{ history }, setParams] = useQueryStates(quotaSearchParams)
  const byClass = new Map(classes.map((each) => [each.resourceName, each]))
  return (
    <TablePanel>
      <Table aria-label="Limits of projects">
        <Head />
        <tbody>
          {rows.map((row) => (
            <QuotaTableRow
              key={rowKey(row)}
              row={row}
              of={byClass.get(row.resourceName)}
              isChosen={chosen.has(rowKey(row))}
              cloud={cloud}
              isOpen={history === rowKey(row)}
              onOpen={(isOpen) => void setParams({ history: isOpen ? rowKey(row) : null })}
              onChoose={(isChosen) => onChoose(row, isChosen)}
            />
          ))}
        </tbody>
      </Table>
    </TablePanel>
  )
}

'use client'

import { useQueryStates } from 'nuqs'
import { useCloud } from '@/components/shell/use-cloud'
import { SortThs, type TableColumn } from '@/components/ui/sort-ths'
import { Table, TablePanel } from '@/components/ui/table'
import type { FlavorSort, FlavorSummary } from '@/lib/schemas/api/flavor'
import { FlavorRow } from './flavor-row'
import { flavorSearchParams } from './flavor-search-params'

const COLUMNS: readonly TableColumn<FlavorSort>[] = [
  { name: 'Flavor', sort: 'name' },
  { name: 'Requests', sort: null, className: 'max-md:hidden' },
  { name: 'Fit now', sort: 'fits', isNumber: true, title: 'Servers over all hosts, one after the other' },
  { name: 'At once', sort: 'at-once', isNumber: true, title: 'The most that one request gets' },
  {
    name: 'Hosts now / ever',
    sort: 'hosts',
    isNumber: true,
    title: 'That take one now, and if they were empty',
  },
  { name: 'By Placement', sort: null, isNumber: true, title: 'What Placement alone would give' },
  { name: 'Servers', sort: null, isNumber: true, title: 'Made from it, on hosts with GPUs' },
  { name: 'Findings', sort: 'findings' },
]

/** Names begin with the smallest, counts with the largest; `desc` turns either round. */
const isRising = (column: FlavorSort, desc: boolean): boolean => (column === 'name') !== desc

const Head = () => {
  const [{ sort, desc }, setParams] = useQueryStates(flavorSearchParams)
  return (
    <thead>
      <tr>
        <SortThs
          columns={COLUMNS}
          sorting={{ sort, isRising: isRising(sort, desc) }}
          onSort={(column) => void setParams({ sort: column, desc: column === sort ? !desc : false })}
        />
      </tr>
    </thead>
  )
}

export const FlavorTable = ({ flavors, isOld }: { flavors: readonly FlavorSummary[]; isOld: boolean }) => {
  const { cloud } = useCloud()
  return (
    <TablePanel className={isOld ? 'old-words' : ''}>
      <Table aria-label="GPU flavors">
        <Head />
        <tbody>
          {flavors.map((flavor) => (
            <FlavorRow key={flavor.id} flavor={flavor} cloud={cloud} />
          ))}
        </tbody>
      </Table>
    </TablePanel>
  )
}

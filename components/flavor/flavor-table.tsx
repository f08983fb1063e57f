'use client'

import { useQueryStates } from 'nuqs'
import { useState } from 'react'
import { useCloud } from '@/components/shell/use-cloud'
import { Button } from '@/components/ui/button'
import { SortTh } from '@/components/ui/sort-th'
import { Table, TablePanel, Th } from '@/components/ui/table'
import type { FlavorSummary } from '@/lib/schemas/api/flavor'
import { formatCount } from '@/lib/util/format'
import type { FlavorSort } from './arrange-flavors'
import { FlavorRow } from './flavor-row'
import { flavorSearchParams } from './flavor-search-params'

const COLUMNS: readonly {
  name: string
  sort: FlavorSort | null
  isNumber?: boolean
  title?: string
  className?: string
}[] = [
  { name: 'Flavor', sort: 'name' },
  { name: 'Asks for', sort: null, className: 'max-md:hidden' },
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

/** Flavors drawn at first, and with each click more. */
const PAGE = 100

/** Names begin with the smallest, counts with the largest; `desc` turns either round. */
const isRising = (column: FlavorSort, desc: boolean): boolean => (column === 'name') !== desc

const Head = () => {
  const [{ sort, desc }, setParams] = useQueryStates(flavorSearchParams)
  return (
    <thead>
      <tr>
        {COLUMNS.map(({ name, sort: column, ...cell }) =>
          column === null ? (
            <Th key={name} {...cell}>
              {name}
            </Th>
          ) : (
            <SortTh
              key={name}
              {...cell}
              direction={column !== sort ? null : isRising(column, desc) ? 'ascending' : 'descending'}
              onSort={() => void setParams({ sort: column, desc: column === sort ? !desc : false })}
            >
              {name}
            </SortTh>
          ),
        )}
      </tr>
    </thead>
  )
}

export const FlavorTable = ({ flavors, isOld }: { flavors: readonly FlavorSummary[]; isOld: boolean }) => {
  const { cloud } = useCloud()
  const [most, setMost] = useState(PAGE)
  return (
    <>
      <TablePanel className={isOld ? 'old-words' : ''}>
        <Table aria-label="Flavors that ask for a GPU">
          <Head />
          <tbody>
            {flavors.slice(0, most).map((flavor) => (
              <FlavorRow key={flavor.id} flavor={flavor} cloud={cloud} />
            ))}
          </tbody>
        </Table>
      </TablePanel>
      {flavors.length > most ? (
        <div className="mt-2">
          <Button onClick={() => setMost(most + PAGE)}>
            Show {Math.min(PAGE, flavors.length - most)} more of {formatCount(flavors.length)}
          </Button>
        </div>
      ) : null}
    </>
  )
}

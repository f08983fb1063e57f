'use client'

import { useQuery } from '@tanstack/react-query'
import { parseAsBoolean, useQueryState } from 'nuqs'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { SettingsNav } from '@/components/shell/settings-nav'
import { useCloud } from '@/components/shell/use-cloud'
import { DataTable } from '@/components/table/data-table'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { FilterChip, Toolbar } from '@/components/ui/toolbar'
import { priceListOptions } from '@/lib/api/prices'
import type { PriceListDto, PriceVersionDto } from '@/lib/schemas/api/price'
import { PriceButton } from './price-button'
import { PRICE_COLUMNS } from './price-columns'

const isValidOrFuture = ({ state, amount }: PriceVersionDto): boolean =>
  state === 'future' || (state === 'current' && amount !== null)

const Prices = ({ list }: { list: PriceListDto }) => {
  const [isWhole, setIsWhole] = useQueryState('past', parseAsBoolean.withDefault(false))
  const rows = isWhole ? list.versions : list.versions.filter(isValidOrFuture)
  if (list.versions.length === 0)
    return (
      <EmptyState title="No prices yet">
        The price list has the price per hour of cards and vGPU types. The catalog shows it to tenants, and
        scenarios use it. Select “Add price” to begin.
      </EmptyState>
    )
  return (
    <>
      <Toolbar>
        <FilterChip
          isOn={isWhole}
          word="Past prices"
          onToggle={() => void setIsWhole(isWhole ? null : true)}
        />
      </Toolbar>
      {rows.length === 0 ? (
        <EmptyState title="No current prices">
          All prices have ended. Select “Past prices” to see them.
        </EmptyState>
      ) : (
        <DataTable
          label="Price list"
          columns={PRICE_COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          rowClass={({ state }) => (state === 'past' || state === 'replaced' ? 'text-ink3' : '')}
          context={{ list }}
        />
      )}
    </>
  )
}

/** Settings → Price list: the price per hour of cards and vGPU types, with all versions. */
export const PricesPage = () => {
  const { cloud } = useCloud()
  const list = useQuery(priceListOptions({ cloud }))
  return (
    <>
      <PageHeader
        title="Price list"
        sub={list.data === undefined ? undefined : `of ${list.data.cloud}`}
        actions={list.data === undefined ? null : <PriceButton list={list.data} />}
      />
      <SettingsNav />
      <LoadProblem query={list} what="The price list" />
      {list.isPending ? <SkeletonRows rows={6} label="Loading the price list" /> : null}
      {list.data === undefined ? null : <Prices list={list.data} />}
    </>
  )
}

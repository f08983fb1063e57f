'use client'

import { X } from 'lucide-react'
import { useQueryStates } from 'nuqs'
import { Button } from '@/components/ui/button'
import { Unknown } from '@/components/ui/key-values'
import { Table } from '@/components/ui/table'
import type { CatalogFlavor } from '@/lib/schemas/api/catalog'
import { formatMoney } from '@/lib/util/format-money'
import { catalogSearchParams } from './catalog-search-params'
import {
  AVAILABILITY_LABELS,
  flavorTitle,
  formatDisplays,
  formatDrivers,
  formatLicenses,
  formatMemory,
  ISOLATION_LABELS,
  isolationText,
  monthlyPriceText,
  performanceText,
  purposeText,
  quotaLeftText,
  shareText,
  sizeText,
} from './catalog-text'
import { MAX_COMPARED } from './compare-choice'

const shareAndIsolation = (flavor: CatalogFlavor): string | null => {
  const share = shareText(flavor)
  const isolation = isolationText(flavor)
  if (share === null || isolation === null) return share ?? isolation
  return isolation === ISOLATION_LABELS.whole ? share : `${share}, ${isolation}`
}

/** A whole card takes any driver. */
const driverOf = (flavor: CatalogFlavor): string | null => {
  const { cards } = flavor
  const isWhole =
    cards.length > 0 && cards.every(({ typeName, isolation }) => typeName === null && isolation === 'whole')
  return isWhole ? 'any' : formatDrivers(flavor)
}

/** The value of a row for a flavor; null: unknown. */
const ROWS: readonly { label: string; textOf: (flavor: CatalogFlavor) => string | null }[] = [
  { label: 'GPU memory', textOf: formatMemory },
  { label: 'Share of the GPU', textOf: shareAndIsolation },
  { label: 'Performance', textOf: performanceText },
  { label: 'Displays', textOf: formatDisplays },
  { label: 'License', textOf: formatLicenses },
  { label: 'Guest driver', textOf: driverOf },
  { label: 'Use cases', textOf: purposeText },
  { label: 'vCPU, memory, disk', textOf: sizeText },
  { label: 'Status', textOf: ({ availability }) => AVAILABILITY_LABELS[availability] },
  { label: 'Quota left', textOf: quotaLeftText },
]

/** Drawn where a flavor has a price. */
const PRICE_ROWS: typeof ROWS = [
  { label: 'Price per hour', textOf: ({ pricePerHour }) => pricePerHour && formatMoney(pricePerHour) },
  { label: 'Price per month, 730 h', textOf: monthlyPriceText },
]

const rowsFor = (flavors: readonly CatalogFlavor[]): typeof ROWS =>
  flavors.some(({ pricePerHour }) => pricePerHour !== null) ? [...ROWS, ...PRICE_ROWS] : ROWS

const first = 'sticky left-0 bg-panel max-sm:w-28 sm:w-[180px]'
const cell = 'border-line2 border-b px-2.5 py-1 text-left align-baseline first:pl-3.5'

const Head = ({ flavors }: { flavors: readonly CatalogFlavor[] }) => (
  <thead>
    <tr>
      <td className={`${cell} ${first}`} />
      {flavors.map((flavor) => (
        <th key={flavor.id} scope="col" className={`${cell} font-normal`}>
          <b className="font-semibold">{flavorTitle(flavor)}</b>
          <br />
          <code className="break-all text-ink3">{flavor.name}</code>
        </th>
      ))}
    </tr>
  </thead>
)

/** Chosen flavors side by side. */
export const CompareTable = ({ flavors }: { flavors: readonly CatalogFlavor[] }) => {
  const [{ differences }, setParams] = useQueryStates(catalogSearchParams)
  if (flavors.length === 0) return null
  const rows = rowsFor(flavors).map(({ label, textOf }) => ({ label, values: flavors.map(textOf) }))
  const shown = differences ? rows.filter(({ values }) => new Set(values).size > 1) : rows
  return (
    <section aria-label="Compare" className="mt-3.5 rounded-panel border border-line bg-panel">
      <div className="flex min-h-[38px] flex-wrap items-center gap-x-2 gap-y-1 border-line2 border-b px-3.5 py-1.5">
        <h2 className="m-0 font-semibold text-body">Compare</h2>
        <span className="text-ink3 text-small max-sm:sr-only">
          {flavors.length} of {MAX_COMPARED} flavors
        </span>
        <span className="flex-1" />
        <Button
          variant={differences ? 'chipOn' : 'ghost'}
          size="small"
          aria-pressed={differences}
          onClick={() => void setParams({ differences: differences ? null : true })}
        >
          Show only differences
        </Button>
        <Button
          variant="ghost"
          size="small"
          onClick={() => void setParams({ compare: null, differences: null })}
        >
          <X size={13} aria-hidden /> Clear<span className="sr-only"> the comparison</span>
        </Button>
      </div>
      {shown.length === 0 ? (
        <p className="px-3.5 py-2 text-ink2">These flavors have equal values in all rows.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reached by keyboard (WCAG 2.1.1)
        <div tabIndex={0} className="relative overflow-x-auto print:overflow-visible">
          <Table className="table-fixed max-sm:min-w-[600px] sm:min-w-[640px]">
            <caption className="sr-only">Chosen flavors side by side</caption>
            <Head flavors={flavors} />
            <tbody>
              {shown.map(({ label, values }) => (
                <tr key={label} className="[&:last-child>*]:border-b-0">
                  <th scope="row" className={`${cell} ${first} font-normal text-ink2`}>
                    {label}
                  </th>
                  {values.map((value, index) => (
                    <td key={flavors[index]?.id ?? label} className={`${cell} tabular-nums`}>
                      {value ?? <Unknown reason="not reported" />}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </Table>
        </div>
      )}
    </section>
  )
}

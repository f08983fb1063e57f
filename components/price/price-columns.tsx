import { formatDay } from '@/components/forecast/forecast-text'
import { Age } from '@/components/shell/moment'
import type { Column } from '@/components/table/column'
import { Tag } from '@/components/ui/tag'
import type { PriceListDto, PriceVersionDto } from '@/lib/schemas/api/price'
import { formatMoney } from '@/lib/util/format-money'
import { PriceButton } from './price-button'

const STATES: Readonly<Record<PriceVersionDto['state'], { label: string; tone: 'accent' | 'quiet' }>> = {
  current: { label: 'Current', tone: 'accent' },
  future: { label: 'Future', tone: 'quiet' },
  past: { label: 'Past', tone: 'quiet' },
  replaced: { label: 'Replaced', tone: 'quiet' },
}

/** Versions of prices on their page. */
export const PRICE_COLUMNS: readonly Column<PriceVersionDto, { list: PriceListDto }>[] = [
  { id: 'model', header: 'Card', isFixed: true, className: 'min-w-36', cell: ({ model }) => model },
  {
    id: 'type',
    header: 'vGPU type',
    className: 'whitespace-nowrap',
    cell: ({ typeName }) => typeName ?? <span className="text-ink2">Whole card</span>,
  },
  {
    id: 'price',
    header: 'Price per hour',
    isNumber: true,
    className: 'whitespace-nowrap',
    cell: ({ amount, currency }) => (amount === null ? 'No price' : formatMoney({ amount, currency })),
  },
  {
    id: 'from',
    header: 'Valid from',
    className: 'whitespace-nowrap',
    cell: ({ validFrom }, { list }) => formatDay(validFrom, list.today),
  },
  {
    id: 'until',
    header: 'Valid until',
    phone: 'hidden',
    className: 'whitespace-nowrap',
    cell: ({ validUntil, state }, { list }) =>
      validUntil === null || state === 'replaced' ? (
        <span className="text-ink3">–</span>
      ) : (
        formatDay(dayBefore(validUntil), list.today)
      ),
  },
  {
    id: 'state',
    header: 'Status',
    className: 'whitespace-nowrap',
    cell: ({ state }) => <Tag tone={STATES[state].tone}>{STATES[state].label}</Tag>,
  },
  {
    id: 'added',
    header: 'Added',
    phone: 'hidden',
    className: 'text-ink2',
    cell: ({ addedBy, addedAt }) => (
      <>
        {addedBy.replace(/^user:/, '')}, <Age at={addedAt} /> ago
      </>
    ),
  },
  {
    id: 'action',
    header: 'Action',
    isHeaderHidden: true,
    isFixed: true,
    className: 'text-right',
    cell: (version, { list }) =>
      version.state === 'current' ? <PriceButton list={list} version={version} /> : null,
  },
]

/** The last day before another: `2026-11-30` before `2026-12-01`. */
const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

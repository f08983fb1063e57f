import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import type { PriceList } from '@/lib/domain/price/price-list'
import { priceOfGpu } from '@/lib/domain/price/price-of-flavor'

/** Hours of an average month. */
const HOURS_PER_MONTH = 730

/** What cards are worth per month by the price list. */
export type MonthlyValue = {
  /** Ten-thousandths of a currency unit by currency, sorted by it. */
  amounts: ReadonlyMap<string, bigint>
  /** Cards whose value is unknown, and the reason for the first one; null: none. */
  unpricedCards: number
  because: string | null
}

type Sum = { amounts: Map<string, bigint>; unpricedCards: number; because: string | null }

/** Units of a card that servers can use: vGPUs of its type, or the card; null: unknown. */
const unitsOf = ({ currentType, framework, numbers }: Pgpu): number | null => {
  if (currentType !== null) return numbers.capacity.value
  return framework === 'passthrough' ? 1 : 0
}

const addCard = (sum: Sum, pgpu: Pgpu, { prices, sign }: { prices: PriceList; sign: bigint }): void => {
  const units = unitsOf(pgpu)
  if (units === 0) return
  const { price, because } =
    units === null
      ? { price: null, because: `The capacity of ${pgpu.model} is unknown.` }
      : priceOfGpu(prices, {
          model: pgpu.model,
          typeName: pgpu.currentType?.shortName ?? null,
          perCard: pgpu.currentType?.maxInstance ?? units,
        })
  if (price === null || units === null) {
    sum.unpricedCards += 1
    sum.because ??= because
    return
  }
  const value = sign * price.amount * BigInt(units) * BigInt(HOURS_PER_MONTH)
  sum.amounts.set(price.currency, (sum.amounts.get(price.currency) ?? 0n) + value)
}

const without = (hosts: readonly JoinedHost[], others: readonly JoinedHost[]): JoinedHost[] => {
  const same = new Set(others)
  return hosts.filter((joined) => !same.has(joined))
}

/** The value per month of the capacity that `after` has more than `before`, at the prices of a day; negative: it has less. */
export const valueOfChange = (
  { before, after }: { before: Fleet; after: Fleet },
  prices: PriceList,
): MonthlyValue => {
  const sum: Sum = { amounts: new Map(), unpricedCards: 0, because: null }
  for (const { pgpus } of without(before.hosts, after.hosts))
    for (const { pgpu } of pgpus) addCard(sum, pgpu, { prices, sign: -1n })
  for (const { pgpus } of without(after.hosts, before.hosts))
    for (const { pgpu } of pgpus) addCard(sum, pgpu, { prices, sign: 1n })
  return {
    amounts: new Map([...sum.amounts].filter(([, amount]) => amount !== 0n).toSorted()),
    unpricedCards: sum.unpricedCards,
    because: sum.because,
  }
}

/** The values of several steps together. */
export const sumOfValues = (values: readonly MonthlyValue[]): MonthlyValue => {
  const amounts = new Map<string, bigint>()
  for (const value of values)
    for (const [currency, amount] of value.amounts)
      amounts.set(currency, (amounts.get(currency) ?? 0n) + amount)
  return {
    amounts: new Map([...amounts].filter(([, amount]) => amount !== 0n).toSorted()),
    unpricedCards: values.reduce((sum, { unpricedCards }) => sum + unpricedCards, 0),
    because: values.find(({ because }) => because !== null)?.because ?? null,
  }
}

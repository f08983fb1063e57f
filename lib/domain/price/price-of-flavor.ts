import { shareOfAmount } from './amount'
import { type Price, type PriceList, type PriceSubject, priceKey } from './price-list'

/** A price per hour, or the reason why it is unknown. */
export type PriceAnswer = { price: Price; because: null } | { price: null; because: string }

/** A vGPU or a whole card. `perCard`: vGPUs of the type on one card; null: unknown. */
type PricedGpu = PriceSubject & { perCard: number | null }

const unknown = (because: string): PriceAnswer => ({ price: null, because })

/**
 * The price per hour of one vGPU or card. A type without a price costs an equal share of its card, by the number of its
 * vGPUs on one card.
 */
export const priceOfGpu = (prices: PriceList, { model, typeName, perCard }: PricedGpu): PriceAnswer => {
  const own = prices.get(priceKey({ model, typeName }))
  if (own !== undefined) return { price: own, because: null }
  const ofCard = prices.get(priceKey({ model, typeName: null }))
  if (typeName === null || ofCard === undefined)
    return unknown(`The price list has no price of ${typeName === null ? model : `${typeName} or ${model}`}.`)
  if (perCard === null || perCard < 1)
    return unknown(`The number of ${typeName} on one ${model} is unknown, and ${typeName} has no price.`)
  return { price: { ...ofCard, amount: shareOfAmount(ofCard.amount, perCard) }, because: null }
}

/** GPUs that a flavor requests. `gpus`: the kinds of which Nova assigns one. */
type RequestedGpus = { count: number; gpus: readonly PricedGpu[] }

/** The one price of kinds that replace each other. */
const priceOfKinds = (prices: PriceList, gpus: readonly PricedGpu[]): PriceAnswer => {
  const [first, ...others] = gpus.map((gpu) => priceOfGpu(prices, gpu))
  if (first === undefined) return unknown('The card of the flavor is unknown.')
  for (const other of others) {
    if (first.price === null) return first
    if (other.price === null) return other
    if (other.price.amount !== first.price.amount || other.price.currency !== first.price.currency)
      return unknown('The cards of the flavor have different prices.')
  }
  return first
}

/** The price per hour of one server of a flavor, by what the flavor requests and the prices of a day (`pricesOn`). */
export const priceOfFlavor = (prices: PriceList, requested: readonly RequestedGpus[]): PriceAnswer => {
  let [amount, currency] = [0n, null as string | null]
  for (const { count, gpus } of requested) {
    const { price, because } = priceOfKinds(prices, gpus)
    if (price === null) return unknown(because)
    if (currency !== null && currency !== price.currency)
      return unknown('The GPUs of the flavor have prices in different currencies.')
    currency = price.currency
    amount += price.amount * BigInt(count)
  }
  return currency === null
    ? unknown('The flavor requests no GPU.')
    : { price: { amount, currency }, because: null }
}

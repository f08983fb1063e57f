import { cardKey } from './card-key'

/** An amount in ten-thousandths of a currency unit, and the code of the currency in ISO 4217. */
export type Price = { amount: bigint; currency: string }

/** What a price is for: a vGPU type of a card, or the whole card. */
export type PriceSubject = {
  /** `NVIDIA A40`. */
  model: string
  /** `A40-4Q`; null: the whole card. */
  typeName: string | null
}

/** One version of the price per hour of a card or vGPU type. Versions never change. */
export type PriceVersion = PriceSubject & {
  /** Grows with each version. */
  id: number
  /** Ten-thousandths of a currency unit; null: no price from that day. */
  amount: bigint | null
  currency: string
  /** The first day, `2026-11-28`, in UTC. */
  validFrom: string
}

/** The prices of one day by `priceKey`. */
export type PriceList = ReadonlyMap<string, Price>

/** Equal for the names of one card or type. */
export const priceKey = ({ model, typeName }: PriceSubject): string =>
  `${cardKey(model)} ${typeName?.toUpperCase() ?? ''}`

/** Whether one version replaces another of the same subject once both are valid. */
const isLater = (one: PriceVersion, other: PriceVersion): boolean =>
  one.validFrom === other.validFrom ? one.id > other.id : one.validFrom > other.validFrom

/** The version of each card and type that is valid on a day, by `priceKey`; also those that end a price. */
export const versionsOn = (
  versions: readonly PriceVersion[],
  day: string,
): ReadonlyMap<string, PriceVersion> => {
  const valid = new Map<string, PriceVersion>()
  for (const version of versions) {
    if (version.validFrom > day) continue
    const key = priceKey(version)
    const held = valid.get(key)
    if (held === undefined || isLater(version, held)) valid.set(key, version)
  }
  return valid
}

/** The prices that are valid on a day. */
export const pricesOn = (versions: readonly PriceVersion[], day: string): PriceList =>
  new Map(
    [...versionsOn(versions, day)].flatMap(([key, { amount, currency }]): [string, Price][] =>
      amount === null ? [] : [[key, { amount, currency }]],
    ),
  )

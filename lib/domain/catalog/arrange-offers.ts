import type { Price } from '@/lib/domain/price/price-list'
import { naturalKey } from '@/lib/util/natural-order'
import { oncePer } from '@/lib/util/once-per'
import { searchTerms } from '@/lib/util/search-terms'
import type { Isolation } from './card-share'
import { type FlavorOffer, PURPOSES, type Purpose } from './flavor-offer'

type OfferSort = 'price' | 'name' | 'memory' | 'availability'

export type OfferFilter = {
  q: string
  purpose: Purpose | null
  isolation: Isolation | null
  /** GiB of one GPU at least. */
  memoryGib: number | null
  sort: OfferSort
  desc: boolean
}

/** Tenants see no more of the availability than these labels, so the order uses no more. */
const AVAILABILITY_RANKS: Readonly<Record<FlavorOffer['availability'], number>> = {
  free: 0,
  few: 1,
  none: 2,
  unknown: 3,
}

/** The minimum memory of one GPU over the cards that a flavor may land on; null: unknown. Unit: MiB. */
const minMemory = (cards: FlavorOffer['cards']): number | null =>
  cards.length === 0 || cards.some(({ memoryMib }) => memoryMib === null)
    ? null
    : Math.min(...cards.map(({ memoryMib }) => memoryMib ?? 0))

/** That of all cards that a flavor may land on; null: unknown, or several. */
const isolationOf = ([first, ...others]: FlavorOffer['cards']): Isolation | null =>
  first !== undefined && others.every(({ isolation }) => isolation === first.isolation)
    ? first.isolation
    : null

const textOf = ({ name, cards, purposes }: FlavorOffer): string =>
  [
    name,
    ...purposes,
    ...cards.flatMap(({ model, typeName, memoryMib, isolation }) => [
      model,
      typeName,
      isolation,
      memoryMib === null ? null : `${Math.round((memoryMib / 1024) * 10) / 10} GiB`,
    ]),
  ]
    .join(' ')
    .toLowerCase()

const prepare = oncePer((offer: FlavorOffer) => ({
  text: textOf(offer),
  nameKey: naturalKey(offer.name),
  memoryMib: minMemory(offer.cards),
  isolation: isolationOf(offer.cards),
}))

const rising = <Key extends string | number>(a: Key, b: Key): number => (a < b ? -1 : a > b ? 1 : 0)

/** `price`: per hour, by the price list; null: unknown. */
type Priced = { offer: FlavorOffer; price: Price | null }

/** Amounts of different currencies are not compared: one currency follows the other. */
const priceKey = ({ currency, amount }: Price): string => `${currency} ${String(amount).padStart(40, '0')}`

/** Null: unknown, and last in either direction. */
const keyOf = (sort: OfferSort, { offer, price }: Priced): string | number | null => {
  if (sort === 'price') return price === null ? null : priceKey(price)
  if (sort === 'availability') return AVAILABILITY_RANKS[offer.availability]
  const { nameKey, memoryMib } = prepare(offer)
  return sort === 'name' ? nameKey : memoryMib
}

/** Offers that contain every word of `q` and match the filter, sorted; equals by name. */
export const arrangeOffers = <Row extends Priced>(
  rows: readonly Row[],
  { q, purpose, isolation, memoryGib, sort, desc }: OfferFilter,
): Row[] => {
  const words = searchTerms(q)
  const direction = desc ? -1 : 1
  return rows
    .filter(({ offer }) => {
      const { text, memoryMib, isolation: own } = prepare(offer)
      return (
        words.every((word) => text.includes(word)) &&
        (purpose === null || offer.purposes.includes(purpose)) &&
        (isolation === null || own === isolation) &&
        (memoryGib === null || (memoryMib ?? 0) >= memoryGib * 1024)
      )
    })
    .map((row) => ({ row, key: keyOf(sort, row), nameKey: prepare(row.offer).nameKey }))
    .toSorted((a, b) => {
      if (a.key === null || b.key === null || a.key === b.key)
        return Number(a.key === null) - Number(b.key === null) || rising(a.nameKey, b.nameKey)
      return direction * rising(a.key, b.key)
    })
    .map(({ row }) => row)
}

const ISOLATIONS: readonly Isolation[] = ['time-sliced', 'mig', 'whole']

/** The values by which some offers can be filtered. Memory: whole GiB. */
export const offerFilters = (
  offers: readonly FlavorOffer[],
): { purposes: Purpose[]; memoryGib: number[]; isolations: Isolation[] } => {
  const purposes = new Set(offers.flatMap((offer) => offer.purposes))
  const isolations = new Set(offers.map((offer) => prepare(offer).isolation))
  const sizes = new Set(offers.map((offer) => Math.floor((prepare(offer).memoryMib ?? 0) / 1024)))
  return {
    purposes: PURPOSES.filter((purpose) => purposes.has(purpose)),
    memoryGib: [...sizes].filter((gib) => gib > 0).toSorted((a, b) => a - b),
    isolations: ISOLATIONS.filter((isolation) => isolations.has(isolation)),
  }
}

import { expect, test } from 'vitest'
import { arrangeOffers, type OfferFilter, offerFilters } from './arrange-offers'
import { WHOLE_CARD } from './card-share'
import type { FlavorOffer, OfferCard } from './flavor-offer'

const card = (rest: Partial<OfferCard> = {}): OfferCard => ({
  model: 'NVIDIA A40',
  typeName: 'A40-4Q',
  memoryMib: 4096,
  perCard: 12,
  isolation: 'time-sliced',
  share: { compute: { part: 1, of: 12 }, memory: null, perInstance: null },
  displays: 4,
  maxResolution: '7680x4320',
  series: 'Q',
  ...rest,
})

const offer = (name: string, rest: Partial<FlavorOffer> = {}): FlavorOffer => ({
  id: name,
  name,
  vcpus: 4,
  memoryMib: 16_384,
  diskGib: 40,
  gpus: 1,
  cards: [card()],
  purposes: ['desktop', 'cad'],
  driverBranches: ['550'],
  availability: 'free',
  startsTogether: true,
  ...rest,
})

const price = (amount: number) => ({ amount: BigInt(amount), currency: 'EUR' })

const ROWS = [
  { offer: offer('a40-10'), price: price(9000) },
  {
    offer: offer('a40-2', { cards: [card(), card({ memoryMib: 16_384 })], availability: 'none' }),
    price: null,
  },
  {
    offer: offer('h100', {
      cards: [card({ model: 'NVIDIA H100', typeName: null, memoryMib: 81_920, series: null, ...WHOLE_CARD })],
      purposes: ['training'],
      availability: 'few',
    }),
    price: price(30_000),
  },
  {
    offer: offer('odd', { cards: [card({ memoryMib: null })], purposes: [], availability: 'unknown' }),
    price: price(1),
  },
]

const NO_FILTER: OfferFilter = {
  q: '',
  purpose: null,
  isolation: null,
  memoryGib: null,
  sort: 'name',
  desc: false,
}
const namesFor = (filter: Partial<OfferFilter>): string[] =>
  arrangeOffers(ROWS, { ...NO_FILTER, ...filter }).map((row) => row.offer.name)

test('sorts by name, price, memory and the label of the availability; unknown is last in both directions', () => {
  expect(namesFor({})).toEqual(['a40-2', 'a40-10', 'h100', 'odd'])
  expect(namesFor({ sort: 'price' })).toEqual(['odd', 'a40-10', 'h100', 'a40-2'])
  expect(namesFor({ sort: 'price', desc: true })).toEqual(['h100', 'a40-10', 'odd', 'a40-2'])
  expect(namesFor({ sort: 'memory' })).toEqual(['a40-2', 'a40-10', 'h100', 'odd'])
  expect(namesFor({ sort: 'memory', desc: true })).toEqual(['h100', 'a40-2', 'a40-10', 'odd'])
  expect(namesFor({ sort: 'availability' })).toEqual(['a40-10', 'h100', 'a40-2', 'odd'])
})

test('finds the words in name, model, memory, use case and isolation', () => {
  expect(namesFor({ q: 'nvidia H100' })).toEqual(['h100'])
  expect(namesFor({ q: '80 gib' })).toEqual(['h100'])
  expect(namesFor({ q: 'training' })).toEqual(['h100'])
  expect(namesFor({ q: 'time-sliced 10' })).toEqual(['a40-10'])
  expect(namesFor({ q: 'a40 h100' })).toEqual([])
})

test('keeps what certainly has the memory, the isolation and the use case', () => {
  expect(namesFor({ memoryGib: 4 })).toEqual(['a40-2', 'a40-10', 'h100'])
  expect(namesFor({ memoryGib: 5 })).toEqual(['h100'])
  expect(namesFor({ isolation: 'whole' })).toEqual(['h100'])
  expect(namesFor({ isolation: 'time-sliced', purpose: 'cad' })).toEqual(['a40-2', 'a40-10'])
})

test('a flavor on cards of different isolation has none for sure', () => {
  const mixed = [{ offer: offer('mixed', { cards: [card(), card(WHOLE_CARD)] }), price: null }]
  expect(arrangeOffers(mixed, { ...NO_FILTER, isolation: 'whole' })).toEqual([])
  expect(offerFilters(mixed.map((row) => row.offer)).isolations).toEqual([])
})

test('lists the values that exist', () => {
  expect(offerFilters(ROWS.map((row) => row.offer))).toEqual({
    purposes: ['desktop', 'cad', 'training'],
    memoryGib: [4, 80],
    isolations: ['time-sliced', 'whole'],
  })
  expect(offerFilters([])).toEqual({ purposes: [], memoryGib: [], isolations: [] })
})

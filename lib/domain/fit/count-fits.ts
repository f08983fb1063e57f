import { oncePer } from '@/lib/util/once-per'
import { type FlowEdge, maxFlow } from './max-flow'

/** A provider as counting sees it: what is free of each class, and the card whose hardware bounds it. */
export type FitBin = {
  id: string
  free: Readonly<Record<string, number>>
  /** Bins of one card share its hardware's bound. */
  card: string
}

/** One thing that a server needs from one provider. */
export type FitSlot = {
  /** Class → amount, all from the same provider. */
  amounts: Readonly<Record<string, number>>
  /** Ids of the bins whose traits and sizes suit. */
  eligible: ReadonlySet<string>
  /** Numbered groups are kept apart by `isolate`; the group without number is not. */
  isNumbered: boolean
}

/** What a host has for servers of one request. `cards`: free vGPUs by the hardware; a card that is missing has no bound. */
export type FitProblem = {
  slots: readonly FitSlot[]
  bins: readonly FitBin[]
  cards: Readonly<Record<string, number>>
  /** Servers by CPU, memory and disk. */
  headroom: number
  isIsolated: boolean
}

/** `isExact` false: the slots ask for unlike amounts of one class, and the number is one that surely fits. */
export type FitCount = { count: number; isExact: boolean }

const largest = (slots: readonly FitSlot[]): Map<string, number> => {
  const amounts = new Map<string, number>()
  for (const slot of slots)
    for (const [name, amount] of Object.entries(slot.amounts))
      amounts.set(name, Math.max(amounts.get(name) ?? 0, amount))
  return amounts
}

/** Slots may be counted in pieces of one size if no class is requested in two sizes or bundles. */
const areAlike = (slots: readonly FitSlot[]): boolean => {
  const bundles = new Map<string, string>()
  for (const { amounts } of slots) {
    const bundle = JSON.stringify(Object.entries(amounts).toSorted())
    for (const name of Object.keys(amounts)) {
      if (bundles.has(name) && bundles.get(name) !== bundle) return false
      bundles.set(name, bundle)
    }
  }
  return true
}

const bundleName = ({ amounts }: FitSlot): string => Object.keys(amounts).toSorted().join('+')

/** Pieces of a slot's size that a bin still gives. */
const piecesOf = (bin: FitBin, { amounts }: FitSlot, max: ReadonlyMap<string, number>): number => {
  let pieces = Number.POSITIVE_INFINITY
  for (const name in amounts)
    pieces = Math.min(pieces, Math.floor((bin.free[name] ?? 0) / (max.get(name) ?? amounts[name] ?? 0)))
  return pieces
}

const freeText = oncePer((free: FitBin['free']): string => JSON.stringify(free))

/** Bins with as much free for the same slots, on cards that are alike, too. */
type AlikeBins = { bin: FitBin; count: number; cards: number }

/** Bins that are alike share one node of the network: a card of 32 VFs has few kinds of them, a host few kinds of cards. */
const alikeBins = ({ slots, bins, cards }: FitProblem): AlikeBins[] => {
  const byCard = new Map<string, Map<string, AlikeBins>>()
  for (const bin of bins) {
    const text = [freeText(bin.free), ...slots.map(({ eligible }) => Number(eligible.has(bin.id)))].join(' ')
    const ofCard = byCard.get(bin.card) ?? new Map<string, AlikeBins>()
    byCard.set(bin.card, ofCard)
    const held = ofCard.get(text)
    if (held === undefined) ofCard.set(text, { bin, count: 1, cards: 1 })
    else held.count += 1
  }
  const kinds = new Map<string, AlikeBins[]>()
  for (const [card, ofCard] of byCard) {
    const counts = [...ofCard].map(([text, { count }]) => `${count} ${text}`).toSorted()
    const text = [cards[card], ...counts].join(' ')
    const held = kinds.get(text)
    if (held === undefined) kinds.set(text, [...ofCard.values()])
    else for (const alike of held) alike.cards += 1
  }
  return [...kinds.values()].flat()
}

/**
 * The network in which `servers` servers fit exactly when all slots are served. Each server takes one piece per slot.
 * Under `isolate` a bin serves each server at most once, so at most `servers` pieces (by König's theorem the pieces can
 * then be assigned to servers).
 */
const network = (
  { slots, cards, isIsolated }: FitProblem,
  alike: readonly AlikeBins[],
  { servers, share }: { servers: number; share: number },
): FlowEdge[] => {
  const max = largest(slots)
  const edges: FlowEdge[] = []
  const seen = new Set<string>()
  const once = (edge: FlowEdge): void => {
    const key = `${edge.from}>${edge.to}`
    if (seen.has(key)) return
    seen.add(key)
    edges.push(edge)
  }
  for (const [index, slot] of slots.entries()) {
    const piece = Math.max(...Object.entries(slot.amounts).map(([name, amount]) => max.get(name) ?? amount))
    edges.push({ from: 'source', to: `slot ${index}`, capacity: servers })
    for (const { bin, count, cards: alikeCards } of alike) {
      if (!slot.eligible.has(bin.id)) continue
      const stock = `stock ${bin.id} ${bundleName(slot)}`
      const isGated = isIsolated && slot.isNumbered
      once({
        from: `slot ${index}`,
        to: isGated ? `gate ${bin.id} ${bundleName(slot)}` : stock,
        capacity: Number.POSITIVE_INFINITY,
      })
      if (isGated)
        once({
          from: `gate ${bin.id} ${bundleName(slot)}`,
          to: stock,
          capacity: servers * count * alikeCards,
        })
      once({
        from: stock,
        to: `card ${bin.card} ${piece}`,
        capacity: Math.floor(piecesOf(bin, slot, max) / share) * count * alikeCards,
      })
      const bound = cards[bin.card]
      const capacity =
        bound === undefined ? Number.POSITIVE_INFINITY : Math.floor(bound / piece / share) * alikeCards
      once({ from: `card ${bin.card} ${piece}`, to: 'sink', capacity })
    }
  }
  return edges
}

/** The largest n of 0…most for which the test holds; it must hold for every smaller n, too. */
const largestWhere = (max: number, holds: (n: number) => boolean): number => {
  let [low, high] = [0, max]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}

const upperBound = ({ slots, bins, headroom }: FitProblem): number => {
  const max = largest(slots)
  const bySlot = slots.map((slot) =>
    bins
      .filter(({ id }) => slot.eligible.has(id))
      .reduce((sum, bin) => sum + Math.max(0, piecesOf(bin, slot, max)), 0),
  )
  return Math.min(headroom, ...bySlot)
}

type CardPieces = { bound: number; bins: number[] }

/** Slots that ask the same of the same bins can be counted without a network; null when they do not. */
const sameSlots = ({ slots, bins, cards }: FitProblem): CardPieces[] | null => {
  const [slot, ...others] = slots
  if (slot === undefined) return null
  const isSame = (other: FitSlot): boolean =>
    other.isNumbered === slot.isNumbered &&
    other.eligible.size === slot.eligible.size &&
    JSON.stringify(other.amounts) === JSON.stringify(slot.amounts) &&
    [...other.eligible].every((id) => slot.eligible.has(id))
  if (!others.every(isSame)) return null
  const max = largest([slot])
  const piece = Math.max(...max.values())
  const byCard = new Map<string, CardPieces>()
  for (const bin of bins) {
    if (!slot.eligible.has(bin.id)) continue
    const bound = cards[bin.card]
    const card = byCard.get(bin.card) ?? {
      bound: bound === undefined ? Number.POSITIVE_INFINITY : Math.floor(bound / piece),
      bins: [],
    }
    card.bins.push(Math.max(0, piecesOf(bin, slot, max)))
    byCard.set(bin.card, card)
  }
  return [...byCard.values()]
}

/** Pieces that all cards give together when each bin gives at most `max`; `share`: each piece counts so often. */
const sumPieces = (cards: readonly CardPieces[], max: number, share = 1): number =>
  cards.reduce((total, { bound, bins }) => {
    const given = bins.reduce((sum, pieces) => sum + Math.min(max, Math.floor(pieces / share)), 0)
    return total + Math.min(Math.floor(bound / share), given)
  }, 0)

/**
 * The same count as the network for equal slots, computed directly: most flavors request one vGPU, on thousands of
 * providers.
 */
const countSame = (problem: FitProblem, cards: readonly CardPieces[]): FitCount => {
  const { slots, headroom } = problem
  const all = Math.floor(sumPieces(cards, Number.POSITIVE_INFINITY) / slots.length)
  const isGated = problem.isIsolated && slots[0]?.isNumbered === true
  const holds = (servers: number): boolean => sumPieces(cards, servers) >= servers * slots.length
  const count = isGated ? largestWhere(Math.min(headroom, all), holds) : Math.min(headroom, all)
  return { count, isExact: true }
}

const sameAtOnce = (problem: FitProblem, cards: readonly CardPieces[]): FitCount => {
  const { slots, headroom } = problem
  const isGated = problem.isIsolated && slots[0]?.isNumbered === true
  const max = isGated ? 1 : Number.POSITIVE_INFINITY
  const largestBin = Math.max(0, ...cards.flatMap(({ bins }) => bins))
  const holds = (servers: number): boolean => sumPieces(cards, max, servers) >= slots.length
  return { count: largestWhere(Math.min(headroom, largestBin), holds), isExact: true }
}

/** Whether no bin can serve one of the slots, so that surely nothing fits. */
const isUnserved = ({ slots }: FitProblem): boolean => slots.some(({ eligible }) => eligible.size === 0)

/**
 * How many servers fit on a host if they are requested one after the other. Without slots: the capacity of the compute
 * node.
 */
export const countFits = (problem: FitProblem): FitCount => {
  if (problem.slots.length === 0) return { count: problem.headroom, isExact: true }
  if (isUnserved(problem)) return { count: 0, isExact: true }
  const cards = sameSlots(problem)
  if (cards !== null) return countSame(problem, cards)
  const alike = alikeBins(problem)
  const holds = (servers: number): boolean =>
    maxFlow(network(problem, alike, { servers, share: 1 })) >= servers * problem.slots.length
  return { count: largestWhere(upperBound(problem), holds), isExact: areAlike(problem.slots) }
}

/**
 * How many servers of one request with several servers a host can take at most. Nova asks Placement once, and tries of each
 * host only the first candidate, again and again (nova/scheduler/manager.py; bug 1874664): all of them come from the same
 * providers. Which candidate is the first is Placement's secret, so this is the best case.
 */
export const countAtOnce = (problem: FitProblem): FitCount => {
  if (problem.slots.length === 0) return { count: problem.headroom, isExact: true }
  if (isUnserved(problem)) return { count: 0, isExact: true }
  const cards = sameSlots(problem)
  if (cards !== null) return sameAtOnce(problem, cards)
  const alike = alikeBins(problem)
  const holds = (share: number): boolean =>
    maxFlow(network(problem, alike, { servers: 1, share })) >= problem.slots.length
  return { count: largestWhere(upperBound(problem), holds), isExact: areAlike(problem.slots) }
}

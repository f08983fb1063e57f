import type { Random } from '@/simulator/random/random'
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  pressure,
  type Rhythm,
  rhythmOf,
  stayingFactor,
  wantedShare,
  workingMorning,
} from './demand'
import { type FreeSlots, freeSlotsOf } from './free-times'
import { aggregatesOf, type HostStory, storyOf } from './host-stories'
import { availableOf, freeOf, openCards, type PastCard, pointOf, setOrphans } from './past-cards'
import { type AliveGuest, newPastGuest } from './past-guests'
import { gapsOf, watchesOf } from './past-watches'
import type { PresentGuest, PresentHost } from './present-host'
import type { HostPast, PastHolding, PastPoint, PastWord } from './types'

/** Over so long before its end the past turns into the present. */
const TURN_MS = 6 * HOUR_MS

/** From the last server's end until nova-compute has the other type. */
export const RETYPE_MS = 11 * MINUTE_MS

/** As the console describes cards that orphans keep on another type. */
const NOT_OFFERED = 'Placement offers none of them'

/** `isSequel`: at its begin another past ended, with the same state as the end of this one. */
export type Span = { begin: number; end: number; isSequel?: boolean }

type Tools = { random: Random; nameOf: (prefix: string) => string }

/** What is recorded of a host during its year. */
const createBook = (story: HostStory, aggregates: string[]) => {
  const points: PastPoint[] = []
  const holdings: PastHolding[] = []
  const words: PastWord[] = []
  const freeSlots: FreeSlots[] = []
  const strandedWas = new Map<string, number>()
  return {
    points,
    holdings,
    words,
    freeSlots,
    /** What was recorded so far belongs to an earlier past. */
    skip: (): void => {
      for (const rows of [points, holdings, words]) rows.length = 0
    },
    recordCards: (cards: readonly PastCard[], at: number, strandedAt: number): void => {
      for (const card of cards) {
        const { address } = card.present
        const isStranded = at >= strandedAt || card.orphan > 0
        const stranded = isStranded ? freeOf(card) : 0
        if (card.isChanged) points.push(pointOf(card, at, story))
        if (card.isChanged) freeSlots.push(freeSlotsOf(card, at, story))
        if (strandedWas.get(address) !== stranded) {
          const advertised = card.type?.capacity ?? null
          const because = stranded === 0 ? null : at >= strandedAt ? story.strandedBecause : NOT_OFFERED
          const word = { advertised, advertisedUsed: card.used, stranded, because, aggregates }
          words.push({ at, address, serviceState: 'up', ...word })
        }
        strandedWas.set(address, stranded)
        card.isChanged = false
      }
    },
  }
}

/** A host while its year goes by: who is on it, and the moves that there are. */
const createHost = (
  host: PresentHost,
  { story, begin, end, random, nameOf }: Tools & Span & { story: HostStory },
) => {
  const book = createBook(story, aggregatesOf(host.name))
  const cards = openCards(host.cards, { story, begin, end })
  let alive: AliveGuest[] = []
  const wholeFlavor = host.guests.find(({ typeIds }) => typeIds.includes(''))?.flavorName ?? null
  const cardsOf = (addresses: readonly string[]): PastCard[] =>
    addresses.flatMap((address) => cards.find(({ present }) => present.address === address) ?? [])

  const enter = (entry: AliveGuest, at: number): void => {
    alive.push(entry)
    book.holdings.push({ ...entry.guest, at })
    for (const card of entry.cards) {
      if (card.spare > 0) card.spare -= 1
      card.used += 1
      card.isChanged = true
    }
  }
  const leave = (entry: AliveGuest, at: number): void => {
    alive = alive.filter((other) => other !== entry)
    book.holdings.push({ ...entry.guest, addresses: [], typeIds: [], at })
    for (const card of entry.cards) {
      card.used -= 1
      // Nova leaves the mdev; an operator removes it when there are many.
      if (card.type?.typeId != null && card.spare < 1) card.spare += 1
      card.isChanged = true
    }
  }
  const transient = (): AliveGuest[] => alive.filter(({ isToday }) => !isToday)
  const onCard = (card: PastCard): AliveGuest[] => transient().filter((entry) => entry.cards.includes(card))

  return {
    book,
    cards,
    countAlive: () => alive.length,
    countTransient: () => transient().length,
    capacity: () => cards.reduce((sum, card) => sum + card.used + availableOf(card), 0),
    /** One of today's servers begins; one of the past's makes room when there is none. */
    arrive: (today: PresentGuest, at: number): void => {
      const { since: _, ...guest } = today
      const own = cardsOf(guest.addresses)
      for (const card of own) {
        const [inTheWay] = onCard(card)
        if (freeOf(card) + card.spare <= 0 && inTheWay !== undefined) leave(inTheWay, at)
      }
      enter({ guest, cards: own, isToday: true }, at)
    },
    add: (at: number): boolean => {
      const card = random.pick(cards.filter((each) => availableOf(each) > 0))
      if (card === undefined || (card.type?.typeId == null && wholeFlavor === null)) return false
      const guest = newPastGuest({ card, projects: host.projects, wholeFlavor, nameOf, random })
      enter({ guest, cards: [card], isToday: false }, at)
      return true
    },
    removeOne: (at: number): void => {
      const entry = random.pick(transient())
      if (entry !== undefined) leave(entry, at)
    },
    /** Its servers go; what remains of the earlier type keeps the card on it for a while. */
    drain: (card: PastCard, at: number): void => {
      for (const entry of onCard(card)) leave(entry, at)
      if (card.leftover === null) return
      const { mdevs, days } = card.leftover
      const earlierUntil = workingMorning(at + days * DAY_MS)
      Object.assign(card, { spare: 0, left: mdevs, leftover: null, earlierUntil })
      setOrphans(card, at)
    },
    /** The drained card is given today's type. */
    retype: (card: PastCard, at: number): void => {
      Object.assign(card, { type: card.present.type, spare: 0, left: 0, earlierUntil: null, isChanged: true })
      setOrphans(card, at)
    },
    /** What is left of the past goes, and spares and orphans are today's. */
    settle: (at: number): void => {
      for (const entry of transient()) leave(entry, at)
      for (const card of cards) {
        setOrphans(card, Number.POSITIVE_INFINITY)
        if (card.spare === card.present.spare) continue
        card.spare = card.present.spare
        card.isChanged = true
      }
    },
    held: () => alive.map(({ guest }) => guest),
  }
}

type DemandInput = { rhythm: Rhythm; story: HostStory; host: PresentHost; span: Span }

/** Servers that want to be on the host at a moment; more than fit where there is not enough. */
const demandAt = (at: number, capacity: number, { rhythm, story, host, span }: DemandInput): number => {
  const age = (span.end - at) / (365 * DAY_MS)
  const staying = Math.min(capacity, host.guests.length * stayingFactor(story.trend, age))
  const others = (capacity - staying) * wantedShare(rhythm, at) * pressure(story.trend, age)
  const demand = staying + others
  const sinceTurn = span.isSequel === true ? at - span.begin : TURN_MS
  const turn = Math.min(1, (span.end - at) / TURN_MS, sinceTurn / TURN_MS)
  return host.guests.length + (demand - host.guests.length) * turn
}

/** One host's year, hour by hour, up to what `host` holds at its end. The same seed gives the same year. */
export const makeHostPast = (
  host: PresentHost,
  span: Span,
  tools: Tools,
): { past: HostPast; freeSlots: FreeSlots[] } => {
  const story = storyOf(host.name)
  const { random } = tools
  const { end, isSequel = false } = span
  const begin = Math.max(span.begin, end - (story.addedDaysAgo ?? Number.POSITIVE_INFINITY) * DAY_MS)
  const gaps = gapsOf({ begin, end }, { count: isSequel ? 0 : story.gaps, random })
  const living = createHost(host, { ...tools, story, begin, end })
  const dueAt = (at: number): PastCard[] =>
    living.cards.filter(({ earlierUntil }) => earlierUntil !== null && at >= earlierUntil)
  const strandedAt = end - (story.strandedDaysAgo ?? Number.NEGATIVE_INFINITY) * DAY_MS
  const demand: DemandInput = { rhythm: rhythmOf(host.projects), story, host, span }
  const minute = random.between(2, 50) * MINUTE_MS
  let coming = host.guests.toSorted((a, b) => a.since - b.since)

  const step = (at: number): void => {
    for (const card of living.cards) setOrphans(card, at)
    const now = coming.filter(({ since }) => since <= at)
    coming = coming.slice(now.length)
    for (const guest of now) living.arrive(guest, at)
    if (story.isUnreadable) return
    const due = dueAt(at)
    for (const card of due) living.drain(card, at)
    // The host is closed while a type changes on it.
    if (due.length > 0) return
    if (random.chance(0.012)) living.removeOne(at)
    const wanted = demandAt(at, living.capacity(), demand)
    while (living.countAlive() < Math.round(wanted) && living.add(at));
    while (living.countAlive() > Math.round(wanted) && living.countTransient() > 0) living.removeOne(at)
  }

  step(begin)
  if (isSequel) living.settle(begin)
  living.book.recordCards(living.cards, begin, strandedAt)
  if (isSequel) living.book.skip()
  const first = Math.floor(begin / HOUR_MS) * HOUR_MS + HOUR_MS + minute
  for (let at = first; at < end - HOUR_MS; at += HOUR_MS) {
    if (gaps.some(({ since, until }) => at >= since && at <= until)) continue
    const moment = at + random.between(0, 8) * MINUTE_MS + random.between(0, 59_999)
    step(moment)
    living.book.recordCards(living.cards, moment, strandedAt)
    const due = dueAt(moment)
    for (const card of due) living.retype(card, moment + RETYPE_MS)
    if (due.length > 0) living.book.recordCards(living.cards, moment + RETYPE_MS, strandedAt)
  }
  const last = end - random.between(10, 50) * MINUTE_MS
  for (const guest of coming) living.arrive(guest, Math.max(last, Math.min(guest.since, end)))
  living.settle(last)
  living.book.recordCards(living.cards, last, strandedAt)
  const { points, holdings, words, freeSlots } = living.book
  const watches = isSequel ? [{ since: begin, until: end }] : watchesOf({ begin, end }, { gaps, random })
  return { past: { name: host.name, points, holdings, words, watches, held: living.held() }, freeSlots }
}

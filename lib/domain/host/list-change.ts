import { changedStretch } from '@/lib/util/changed-stretch'

/** What went out of a list and what came into it. */
export type ListChange<Item> = {
  gone: readonly Item[]
  come: readonly Item[]
  /** Where the entries of the new list stood. Null: the lists are the same. */
  sources: Sources | null
}

/** Entries before `start` stood where they stand, those from `end` on `shift` places further on. */
type Sources = {
  start: number
  end: number
  shift: number
  /** Of the entries between them the places in the old list, rising; -1 for what came. Empty: all of them came. */
  middle: readonly number[]
}

const NOTHING: ListChange<never> = { gone: [], come: [], sources: null }

/**
 * How one list became another. An entry counts as the same when it is the very same object and stands in the same order
 * to the others that stayed; what changed its place went and came. O(entries).
 */
export const listChange = <Item extends object>(
  before: readonly Item[],
  after: readonly Item[],
): ListChange<Item> => {
  const stretch = changedStretch(before, after)
  if (stretch === null) return NOTHING
  const { start, beforeEnd, afterEnd: end } = stretch
  const { gone, come, places } = matchMiddle(before.slice(start, beforeEnd), after.slice(start, end))
  const middle = places.map((place) => (place < 0 ? place : place + start))
  return { gone, come, sources: { start, end, shift: before.length - after.length, middle } }
}

const NO_PLACES: readonly number[] = []

/** Lists whose first entries differ, and their last. */
const matchMiddle = <Item extends object>(
  before: readonly Item[],
  after: readonly Item[],
): { gone: readonly Item[]; come: readonly Item[]; places: readonly number[] } => {
  // What went, came or became another: nothing of it can have stayed.
  if (Math.min(before.length, after.length) === 0 || Math.max(before.length, after.length) === 1)
    return { gone: before, come: after, places: NO_PLACES }
  const placeOf = new Map(before.map((item, place) => [item, place]))
  const stayed = new Set<number>()
  const come: Item[] = []
  let last = -1
  const places = after.map((item) => {
    const place = placeOf.get(item) ?? -1
    if (place <= last) {
      come.push(item)
      return -1
    }
    last = place
    stayed.add(place)
    return place
  })
  return { gone: before.filter((_, place) => !stayed.has(place)), come, places }
}

/** The place in the old list of what stands at `place` now; -1 for what came. */
const sourceOf = (place: number, { start, end, shift, middle }: Sources): number => {
  if (place < start) return place
  return place < end ? (middle[place - start] ?? -1) : place + shift
}

/** So few are found sooner by comparing than by hashing. */
const FEW = 8

/**
 * What is made of each entry of a list: that of last time for an entry that stayed and is not concerned. The very list of
 * last time when that is so for all. `make` gets what was made of the entry last time, undefined for what came, and may give
 * it back.
 */
export const carryOver = <Item, Made>(
  items: readonly Item[],
  {
    sources,
    before,
    concerned,
    make,
  }: {
    sources: ListChange<Item>['sources']
    before: Made[]
    concerned: readonly Item[]
    make: (item: Item, known: Made | undefined) => Made
  },
): Made[] => {
  if (sources === null && concerned.length === 0) return before
  const among = concerned.length > FEW ? new Set(concerned) : null
  let isSame = sources === null
  const made = items.map((item, place) => {
    const source = sources === null ? place : sourceOf(place, sources)
    const known = source < 0 ? undefined : before[source]
    const isConcerned = among === null ? concerned.includes(item) : among.has(item)
    if (known !== undefined && !isConcerned) return known
    const next = make(item, known)
    if (next !== known) isSame = false
    return next
  })
  return isSame ? before : made
}

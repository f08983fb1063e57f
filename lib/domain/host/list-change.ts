/** What went out of a list and what came into it. */
export type ListChange<Item> = {
  gone: readonly Item[]
  come: readonly Item[]
  /** For each entry of the new list its place in the old one, rising; -1 for what came. Null: the lists are the same. */
  sources: readonly number[] | null
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
  if (before === after) return NOTHING
  let start = 0
  const shorter = Math.min(before.length, after.length)
  while (start < shorter && before[start] === after[start]) start += 1
  if (start === before.length && start === after.length) return NOTHING
  let rest = 0
  while (rest < shorter - start && before[before.length - 1 - rest] === after[after.length - 1 - rest])
    rest += 1
  const middle = matchMiddle(
    before.slice(start, before.length - rest),
    after.slice(start, after.length - rest),
  )
  const end = after.length - rest
  const sourceAt = (place: number): number => {
    if (place < start) return place
    if (place >= end) return place - after.length + before.length
    const source = middle.sources[place - start] ?? -1
    return source < 0 ? source : source + start
  }
  return { gone: middle.gone, come: middle.come, sources: after.map((_, place) => sourceAt(place)) }
}

/** Lists whose first entries differ, and their last. */
const matchMiddle = <Item extends object>(
  before: readonly Item[],
  after: readonly Item[],
): { gone: readonly Item[]; come: readonly Item[]; sources: readonly number[] } => {
  // What went, came or became another: nothing of it can have stayed.
  if (Math.min(before.length, after.length) === 0 || Math.max(before.length, after.length) === 1)
    return { gone: before, come: after, sources: [] }
  const placeOf = new Map(before.map((item, place) => [item, place]))
  const stayed = new Set<number>()
  const come: Item[] = []
  let last = -1
  const sources = after.map((item) => {
    const place = placeOf.get(item) ?? -1
    if (place <= last) {
      come.push(item)
      return -1
    }
    last = place
    stayed.add(place)
    return place
  })
  return { gone: before.filter((_, place) => !stayed.has(place)), come, sources }
}

/**
 * What is made of each entry of a list: that of last time for an entry that stayed and is not concerned. The very list of
 * last time when that is so for all.
 */
export const carryOver = <Item, Made>(
  items: readonly Item[],
  {
    change: { come, gone, sources },
    before,
    concerned,
    make,
  }: {
    change: ListChange<Item>
    before: Made[]
    concerned: ReadonlySet<Item>
    make: (item: Item) => Made
  },
): Made[] => {
  if (concerned.size === 0 && come.length === 0 && gone.length === 0) return before
  return items.map((item, place) => {
    const known = before[sources === null ? place : (sources[place] ?? -1)]
    return known === undefined || concerned.has(item) ? make(item) : known
  })
}

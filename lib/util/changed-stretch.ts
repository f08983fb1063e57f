/** Where two lists differ: before `start`, and from the ends on, they hold the very same objects. */
export type Stretch = { start: number; beforeEnd: number; afterEnd: number }

// By Object.is: `===` looks at the objects even when they are the same ones, for the sake of NaN, and few of them are in a cache.
/** Null: the lists hold the same objects in the same order. */
export const changedStretch = <Item>(before: readonly Item[], after: readonly Item[]): Stretch | null => {
  if (before === after) return null
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && Object.is(before[start], after[start])) start += 1
  if (start === before.length && start === after.length) return null
  let beforeEnd = before.length
  let afterEnd = after.length
  while (beforeEnd > start && afterEnd > start && Object.is(before[beforeEnd - 1], after[afterEnd - 1])) {
    beforeEnd -= 1
    afterEnd -= 1
  }
  return { start, beforeEnd, afterEnd }
}

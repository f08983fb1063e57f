import { mean, median } from './robust'

const WEEK = 7
const HALF = 3
/** Of each weekday as many days are needed before a pattern is believed. */
const MIN_WEEKS = 3

/** Place in the week, of a day counted from 1 January 1970: 0 is Thursday. */
export const weekPosition = (day: number): number => ((day % WEEK) + WEEK) % WEEK

/**
 * What each day of the week has more than the week around it (by `weekPosition`), in the unit of the values; their sum is 0, and
 * all are 0 where too few weeks are known. `firstDay`: the first value's day, counted from 1 January 1970.
 */
export const weekPattern = (values: readonly (number | null)[], firstDay: number): number[] => {
  const excesses: number[][] = Array.from({ length: WEEK }, () => [])
  for (const [index, value] of values.entries()) {
    const around = values.slice(Math.max(index - HALF, 0), index + HALF + 1)
    const known = around.filter((each) => each !== null)
    if (value === null || known.length < WEEK) continue
    excesses[weekPosition(firstDay + index)]?.push(value - mean(known))
  }
  if (excesses.some((list) => list.length < MIN_WEEKS)) return new Array<number>(WEEK).fill(0)
  const middles = excesses.map((list) => median(list) ?? 0)
  const middle = mean(middles)
  return middles.map((each) => each - middle)
}

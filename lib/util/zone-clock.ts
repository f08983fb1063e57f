import { createZoneOffset } from './zone-offset'

/** The last used zone: a page has one. The offset of a day is computed once. */
let last: { timeZone: string; offsetAt: (at: number) => number } | undefined

/** What a zone is ahead of UTC at a moment, in ms. UTC needs no formatter of `Intl`, which a page would wait for. */
const offsetAt = (at: number, timeZone: string): number => {
  if (timeZone === 'UTC') return 0
  if (last?.timeZone !== timeZone) last = { timeZone, offsetAt: createZoneOffset(timeZone) }
  return last.offsetAt(at)
}

/**
 * What the clocks of a time zone show at a moment, as if that were UTC; ms since the epoch. Throws a RangeError for a zone that
 * `isTimeZone` does not know, as `zonedMoment` does.
 */
export const zonedClock = (at: number, timeZone: string): number => at + offsetAt(at, timeZone)

/** When the clocks of a zone show this; where they jump over it, when they have jumped. */
export const zonedMoment = (clock: number, timeZone: string): number => {
  const guess = clock - offsetAt(clock, timeZone)
  const better = clock - offsetAt(guess, timeZone)
  return zonedClock(better, timeZone) === clock ? better : Math.max(guess, better)
}

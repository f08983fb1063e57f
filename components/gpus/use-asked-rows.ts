'use client'

import { useDeferredValue } from 'react'

/** Milliseconds of calculation that a frame has room for, beside the rows that it draws. */
const QUICK_MS = 20

type Costs = { filter: number | null; arrangement: number | null }

/** What the last calculation of each part took. Of this machine and its fleet, so it outlives the page. */
const tookMs: Costs = { filter: null, arrangement: null }
const hasBegun = new Set<keyof Costs>()

/** Does it, and keeps how long it took; not of the first, which is the list's own and says nothing of the next. */
export const timed = <Result>(part: keyof Costs, calculate: () => Result): Result => {
  const beganAt = performance.now()
  const result = calculate()
  tookMs[part] = hasBegun.has(part) ? performance.now() - beganAt : null
  hasBegun.add(part)
  return result
}

/** Whether both parts are known to fit into a frame. The first key pays for indexes and cold code, so it never does. */
export const isQuick = ({ filter, arrangement }: Costs = tookMs): boolean =>
  filter !== null && arrangement !== null && filter + arrangement <= QUICK_MS

/**
 * What the rows go by. A list that is calculated quickly is drawn in the frame of the key or click itself: a frame without it
 * would only come before it. Else the input is drawn first, and the rows follow when there is time.
 */
export const useAskedRows = <Asked extends object>(asked: Asked): Asked => {
  const isNow = isQuick()
  const later = useDeferredValue(isNow ? null : asked)
  return isNow ? asked : (later ?? asked)
}

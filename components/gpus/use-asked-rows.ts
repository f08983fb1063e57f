'use client'

import { useDeferredValue, useLayoutEffect } from 'react'

/** Milliseconds that a list may take from its calculation to its rows in the document to come with the key or click itself. */
const QUICK_MS = 50

/** Of this machine and its fleet, so it outlives the page. Null: nothing was drawn but the list as it came. */
let tookMs: number | null = null
let isFirst = true
let beganAt: number | null = null

/** Calculates the rows, from where on their time counts. */
export const timed = <Result>(calculate: () => Result): Result => {
  beganAt ??= performance.now()
  return calculate()
}

/** The rows stand in the document. The first time says nothing of the next: it pays for indexes and cold code. */
export const keepTime = (now: number): void => {
  if (beganAt === null) return
  tookMs = isFirst ? null : now - beganAt
  isFirst = false
  beganAt = null
}

export const isQuick = (): boolean => tookMs !== null && tookMs <= QUICK_MS

/**
 * What the rows go by. A list that is drawn quickly comes in the frame of the key or click itself: a frame without it would only
 * come before it. Else the input is drawn first, and the rows follow when there is time.
 */
export const useAskedRows = <Asked extends object>(asked: Asked): Asked => {
  const isNow = isQuick()
  const later = useDeferredValue(isNow ? null : asked)
  useLayoutEffect(() => keepTime(performance.now()))
  return isNow ? asked : (later ?? asked)
}

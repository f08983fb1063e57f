'use client'

import { useDeferredValue, useLayoutEffect, useRef } from 'react'

/** Milliseconds for a list to come with the key or click itself: its calculation, and all until its rows are in the document. */
const QUICK_MS = { calculation: 20, rows: 50 }
/** What is left of a slow one after each that was quicker. */
const MEMORY = 0.7
/** The list as it came, and the first other rows, which pay for indexes and cold code. */
const COLD_LISTS = 2
/** Rows compared, about those in sight. */
const IN_SIGHT = 30

/** Of this machine and its fleet, so it outlives the page. */
const known = { lists: 0, calculationMs: 0, rowsMs: 0 }
let beganAt: number | null = null

/** Calculates the rows, from where on their time counts. */
export const timed = <Result>(calculate: () => Result): Result => {
  const now = performance.now()
  if (beganAt === null) known.calculationMs = 0
  beganAt ??= now
  const result = calculate()
  known.calculationMs += performance.now() - now
  return result
}

/**
 * Whether most of the visible rows changed. If they did not, the time of the list is no measure for lists with new rows.
 */
export const areOthers = (rows: Int32Array, before: Int32Array | null): boolean => {
  const most = Math.min(IN_SIGHT, Math.max(rows.length, before?.length ?? 0))
  let same = 0
  for (let place = 0; place < most; place++) if (rows[place] === before?.[place]) same += 1
  return same < most / 2
}

/** The rows stand in the document. */
export const keepTime = (now: number, isOther: boolean): void => {
  if (beganAt === null) return
  const rowsMs = now - beganAt
  beganAt = null
  if (!isOther) return
  known.lists += 1
  if (known.lists > COLD_LISTS) known.rowsMs = Math.max(rowsMs, known.rowsMs * MEMORY)
}

export const isQuick = (): boolean =>
  known.lists >= COLD_LISTS && known.calculationMs <= QUICK_MS.calculation && known.rowsMs <= QUICK_MS.rows

/**
 * The parameters of the displayed rows. A fast list is drawn in the frame of the key or click itself. For a slow one the
 * input is drawn first, and the rows follow when there is time.
 */
export const useAskedRows = <Asked extends object>(asked: Asked): Asked => {
  const isNow = isQuick()
  const later = useDeferredValue(isNow ? null : asked)
  return isNow ? asked : (later ?? asked)
}

/** Keeps how long these rows took. */
export const useKeptTime = (rows: Int32Array | null): void => {
  const before = useRef<Int32Array | null>(null)
  useLayoutEffect(() => {
    if (rows === null) return
    keepTime(performance.now(), areOthers(rows, before.current))
    before.current = rows
  }, [rows])
}

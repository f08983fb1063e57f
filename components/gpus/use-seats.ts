'use client'

import { useEffect, useLayoutEffect, useReducer, useRef } from 'react'

/** Which line is at which position of the document, by keys that stay valid during scrolling, filtering and sorting. */
export type Seats = {
  /** Number of the element that draws a row, by the row's name. */
  ofRow: ReadonlyMap<string, number>
  /** Keys in the order of the document. */
  order: readonly string[]
}

const NONE: Seats = { ofRow: new Map(), order: [] }

/** Whether a line is a row, which takes a seat; its key is that of the row or of the heading. */
export type Seated = { key: string; isRow: boolean }

/** Remaining rows keep their elements, and new ones take free elements, so that scrolling creates and deletes none. */
export const takeSeats = (lines: readonly Seated[], { ofRow }: Seats): ReadonlyMap<string, number> => {
  const rows = lines.filter(({ isRow }) => isRow).map(({ key }) => key)
  const taken = new Set(rows.flatMap((key) => ofRow.get(key) ?? []))
  const seats = new Map<string, number>()
  let free = 0
  for (const key of rows) {
    let slot = ofRow.get(key)
    if (slot === undefined) {
      while (taken.has(free)) free += 1
      slot = free
      taken.add(slot)
    }
    seats.set(key, slot)
  }
  return seats
}

/** The elements keep their places in the document, new ones come last; without `before` they have the order of the lines. */
export const orderOf = (keys: readonly string[], before: readonly string[] | null): readonly string[] => {
  if (before === null) return keys
  const now = new Set(keys)
  const known = new Set(before)
  return [...before.filter((key) => now.has(key)), ...keys.filter((key) => !known.has(key))]
}

const SETTLED_MS = 150

/**
 * Positions of the drawn lines, as keys in the order of the document. Lines are placed by their offset, so while the list
 * is scrolled no element moves in the document. When scrolling stops, the document gets the order of the lines again, in
 * which a screen reader reads.
 */
export const useSeats = (
  lines: readonly Seated[],
): { keys: readonly string[]; positions: readonly number[] } => {
  const drawn = useRef<Seats>(NONE)
  const isSettled = useRef(true)
  const [, settle] = useReducer((times: number) => times + 1, 0)
  const ofRow = takeSeats(lines, drawn.current)
  const keys = lines.map(({ key, isRow }) => (isRow ? `seat ${ofRow.get(key)}` : key))
  const order = orderOf(keys, isSettled.current ? null : drawn.current.order)
  const isInOrder = order.every((key, at) => key === keys[at])
  useLayoutEffect(() => {
    drawn.current = { ofRow, order }
    isSettled.current = false
  })
  useEffect(() => {
    if (isInOrder) return
    const timer = setTimeout(() => {
      isSettled.current = true
      settle()
    }, SETTLED_MS)
    return () => clearTimeout(timer)
  })
  return { keys, positions: order.map((key) => keys.indexOf(key)) }
}

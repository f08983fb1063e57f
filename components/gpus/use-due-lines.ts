'use client'

import { useEffect, useLayoutEffect, useReducer, useRef } from 'react'

/** Milliseconds between two frames: below the first the machine keeps up, above the second it does not. */
const QUICK_FRAME_MS = 20
const SLOW_FRAME_MS = 30
const MAX_PER_FRAME = 32
const FEWEST_PER_FRAME = 8

/** How many lines a frame may fill: doubled while the machine keeps up, halved when it does not. */
export const nextPace = (pace: number, frameMs: number): number => {
  if (frameMs < QUICK_FRAME_MS) return Math.min(MAX_PER_FRAME, pace * 2)
  if (frameMs > SLOW_FRAME_MS) return Math.max(FEWEST_PER_FRAME, Math.floor(pace / 2))
  return pace
}

/**
 * Lines to draw: those that were, and of the others as many as the pace allows. Until all have come, lines that left stay in
 * their stead, so that their elements are there for those to come. Null: nothing was drawn yet.
 */
export const dueLines = (
  lines: readonly number[],
  { before, pace }: { before: ReadonlySet<number> | null; pace: number },
): ReadonlySet<number> => {
  if (before === null) return new Set(lines)
  const wanted = new Set(lines)
  const fresh = lines.filter((line) => !before.has(line)).slice(0, pace)
  const due = new Set([...lines.filter((line) => before.has(line)), ...fresh])
  const left = [...before].filter((line) => !wanted.has(line))
  return new Set([...due, ...left.slice(0, lines.length - due.size)])
}

/** Of this machine, so it outlives the page. */
let pace = 8

/**
 * Which lines are drawn. A fast scroll brings a dozen rows into each frame, more than a slow machine draws in its time: the
 * ones that are too many come in the frames after. A new list is drawn at once.
 */
export const useDueLines = (lines: readonly number[], list: unknown): ReadonlySet<number> => {
  const drawn = useRef<{ list: unknown; due: ReadonlySet<number> } | null>(null)
  const lastFrameAt = useRef<number | null>(null)
  const [, drawMore] = useReducer((times: number) => times + 1, 0)
  const last = drawn.current
  const due = dueLines(lines, { before: last !== null && last.list === list ? last.due : null, pace })
  useLayoutEffect(() => {
    drawn.current = { list, due }
  })
  const isWaiting = lines.some((line) => !due.has(line))
  useEffect(() => {
    if (!isWaiting) {
      lastFrameAt.current = null
      return
    }
    const frame = requestAnimationFrame((now) => {
      if (lastFrameAt.current !== null) pace = nextPace(pace, now - lastFrameAt.current)
      lastFrameAt.current = now
      drawMore()
    })
    return () => cancelAnimationFrame(frame)
  })
  return due
}

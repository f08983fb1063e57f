import { expect, test } from 'vitest'
import { followWatch } from './follow-watch'

const START = Date.parse('2026-03-01T12:00:00Z')
const SECOND = 1000
const position = { boot: 1, sequence: 1 }
const watch = { since: START, at: START }

/** Whether the interval continues over a sign of life `afterMs` later, of an agent that scanned for `watchedMs`. */
const continues = ({
  afterMs,
  watchedMs,
  boot = 1,
}: {
  afterMs: number
  watchedMs: number | null
  boot?: number
}) =>
  followWatch({ watch, position }, [{ position: { boot, sequence: 2 }, at: START + afterMs, watchedMs }])
    .ended.length === 0

test('an agent that reports a pause of at most 30 seconds was watching, with a longer one it was not', () => {
  const afterMs = 3600 * SECOND
  expect(continues({ afterMs, watchedMs: afterMs - 30 * SECOND })).toBe(true)
  expect(continues({ afterMs, watchedMs: afterMs - 31 * SECOND })).toBe(false)
})

test('without that figure, five minutes of silence are the limit', () => {
  expect(continues({ afterMs: 300 * SECOND, watchedMs: null })).toBe(true)
  expect(continues({ afterMs: 301 * SECOND, watchedMs: null })).toBe(false)
})

test('a new start of the agent begins a new interval', () => {
  expect(continues({ afterMs: SECOND, watchedMs: SECOND, boot: 2 })).toBe(false)
})

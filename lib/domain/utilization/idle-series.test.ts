import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from '../history/series'
import { followSpans, hostsSince, type PlacedSpan } from './idle-series'

/** `minutes` of samples up to `max` percent on the day so many days after the first. */
const span = (day: number, host: string, { minutes = 1440, max = 0 } = {}): PlacedSpan => ({
  begin: day * DAY_MS,
  until: (day + 1) * DAY_MS,
  host,
  slot: {
    utilization: { count: minutes, min: 0, average: max / 2, max },
    usedMib: null,
    totalMib: null,
  },
})
const gap = (day: number, host: string): PlacedSpan => ({ ...span(day, host), slot: null })

const figuresOf = (spans: readonly PlacedSpan[]) =>
  followSpans(spans).map(({ begin, slot, hosts }) => [
    begin / DAY_MS,
    slot?.utilization?.count ?? null,
    slot?.utilization?.max ?? null,
    hosts.join(),
  ])

test('the places of a server are one series, and a day that no place saw stays a gap', () => {
  const spans = [span(3, 'b', { max: 7 }), span(0, 'a'), span(1, 'a', { minutes: 600 }), gap(2, 'a')]
  expect(figuresOf([...spans, span(1, 'b', { minutes: 700, max: 4 })])).toEqual([
    [0, 1440, 0, 'a'],
    [1, 1300, 4, 'a,b'],
    [2, null, null, ''],
    [3, 1440, 7, 'b'],
  ])
})

test('two vGPUs of a server at once are seen as long as one of them, and as busy as the busier one', () => {
  expect(figuresOf([span(0, 'a', { minutes: 700 }), span(0, 'a', { minutes: 600, max: 30 })])).toEqual([
    [0, 700, 30, 'a'],
  ])
  expect(figuresOf([span(0, 'a'), span(0, 'b')])).toEqual([[0, 1440, 0, 'a,b']])
})

test('the same days are seen in any order of positions, and none is longer than it was', () => {
  const locations = fc.array(
    fc.record({
      day: fc.integer({ min: 0, max: 5 }),
      host: fc.constantFrom('a', 'b', 'c'),
      minutes: fc.integer({ min: 1, max: 1440 }),
      max: fc.integer({ min: 0, max: 100 }),
    }),
    { maxLength: 20 },
  )
  fc.assert(
    fc.property(locations, (all) => {
      const spans = all.map(({ day, host, ...rest }) => span(day, host, rest))
      const followed = followSpans(spans)
      const figures = (spans: typeof followed) =>
        spans.map(({ begin, slot }) => [begin, slot?.utilization?.count, slot?.utilization?.max])
      expect(figures(followSpans(spans.toReversed()))).toEqual(figures(followed))
      for (const { begin, slot } of followed) {
        expect(slot?.utilization?.count ?? 0).toBeLessThanOrEqual(1440)
        const own = all.filter(({ day }) => day * DAY_MS === begin)
        expect(slot?.utilization?.max).toBe(Math.max(...own.map(({ max }) => max)))
      }
    }),
  )
})

test('the hosts since a time are listed in order, the current one last and once', () => {
  const spans = followSpans([span(0, 'a'), span(1, 'b'), span(2, 'c'), span(3, 'b')])
  expect(hostsSince(spans, { since: DAY_MS, now: 'b' })).toEqual(['c', 'b'])
  expect(hostsSince(spans, { since: 0, now: 'd' })).toEqual(['a', 'b', 'c', 'd'])
})

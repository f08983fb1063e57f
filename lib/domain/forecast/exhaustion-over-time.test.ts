import { expect, test } from 'vitest'
import { exhaustionOverTime } from './exhaustion-over-time'
import type { Forecast } from './forecast-series'

const TODAY = 1000
const HORIZON = 100

/** Ten vGPUs in use, and one more each day from now on. */
const series = { firstDay: TODAY - 14, peaks: Array(14).fill(10), capacity: Array(14).fill(20) }
const forecast: Forecast = {
  ...{ capacity: 20, used: 10, knownDays: 14, backTest: null, none: null, weak: null, growthPerWeek: 7 },
  days: Array.from({ length: HORIZON }, (_, ahead) => {
    const likely = 11 + ahead
    return { day: TODAY + ahead, likely, low: likely - 2, high: likely + 2 }
  }),
  exhaustion: null,
}
const ask = (...capacities: [from: number, capacity: number][]) =>
  exhaustionOverTime(
    series,
    forecast,
    capacities.map(([from, capacity]) => ({ from, capacity })),
  )
const ALWAYS = Number.NEGATIVE_INFINITY
const dated = (likely: number) => ({ kind: 'dated', earliest: likely - 2, likely, latest: likely + 2 })

test('one capacity has the date of the forecast', () => {
  expect(ask([ALWAYS, 20])).toEqual({ exhaustion: dated(TODAY + 9), shortage: null })
})

test('capacity that comes in time moves the date', () => {
  expect(ask([ALWAYS, 20], [TODAY + 5, 40])).toEqual({ exhaustion: dated(TODAY + 29), shortage: null })
})

test('capacity that comes too late leaves a shortage until its day', () => {
  expect(ask([ALWAYS, 20], [TODAY + 20, 40])).toEqual({
    exhaustion: dated(TODAY + 29),
    shortage: { from: TODAY + 9, until: TODAY + 20 },
  })
})

test('capacity that is removed makes it full on that day, not before', () => {
  const day = TODAY + 20
  expect(ask([ALWAYS, 40], [day, 15])).toEqual({
    exhaustion: { kind: 'dated', earliest: day, likely: day, latest: day },
    shortage: null,
  })
})

test('capacity that is removed below the current use makes it full on that day too', () => {
  const day = TODAY + 5
  expect(ask([ALWAYS, 40], [day, 8])).toEqual({
    exhaustion: { kind: 'dated', earliest: day, likely: day, latest: day },
    shortage: null,
  })
})

test('more capacity that is still too little does not end the exhaustion', () => {
  expect(ask([ALWAYS, 20], [TODAY + 20, 25])).toEqual({ exhaustion: dated(TODAY + 9), shortage: null })
  expect(ask([ALWAYS, 20], [TODAY + 20, 25], [TODAY + 30, 60])).toEqual({
    exhaustion: dated(TODAY + 49),
    shortage: { from: TODAY + 9, until: TODAY + 30 },
  })
})

test('a type that is full today stays full until its relief', () => {
  expect(ask([ALWAYS, 10])).toMatchObject({ exhaustion: { kind: 'full' }, shortage: null })
  expect(ask([ALWAYS, 10], [TODAY + 3, 40])).toEqual({
    exhaustion: dated(TODAY + 29),
    shortage: { from: TODAY, until: TODAY + 3 },
  })
})

test('a day in the past counts as today', () => {
  expect(ask([ALWAYS, 10], [TODAY - 30, 40])).toEqual({ exhaustion: dated(TODAY + 29), shortage: null })
})

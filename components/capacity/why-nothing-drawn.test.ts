import { expect, test } from 'vitest'
import { whyNothingDrawn } from './why-nothing-drawn'

const data = { firstKnownAt: '2026-11-01T00:00:00.000Z' }
const why = (used: (number | null)[], capacity: (number | null)[], of = data) =>
  whyNothingDrawn({ data: of, series: { used, capacity }, isHeld: false }, 30)

test('one time at which the use is known is drawn', () => {
  expect(why([null, 0, null], [null, 4, null])).toBeNull()
})

test('an unknown use is no missing history', () => {
  expect(why([null, null], [4, 4])).toBe(
    'The use in the last 30 days is unknown. Only the capacity is known.',
  )
})

test('a time of which nothing is known, and a subject without a series', () => {
  expect(why([null], [null])).toBe('No data for the last 30 days.')
  expect(whyNothingDrawn({ data, series: undefined, isHeld: false }, 30)).toBe(
    'No data for the last 30 days.',
  )
})

test('a flavor or a project without a series was not used', () => {
  expect(whyNothingDrawn({ data, series: undefined, isHeld: true }, 30)).toBe(
    'No server used a vGPU of it in the last 30 days, as far as is known.',
  )
})

test('a console without data explains how a history begins', () => {
  expect(whyNothingDrawn({ data: { firstKnownAt: null }, series: undefined, isHeld: false }, 30)).toMatch(
    /^No history yet\. /,
  )
})

import { expect, test } from 'vitest'
import { whyNothingDrawn } from './small-history-words'

const data = { firstKnownAt: '2026-11-01T00:00:00.000Z' }
const why = (used: (number | null)[], capacity: (number | null)[], of = data) =>
  whyNothingDrawn({ data: of, series: { used, capacity }, isHeld: false }, 30)

test('one time at which the use is known is drawn', () => {
  expect(why([null, 0, null], [null, 4, null])).toBeNull()
})

test('a use that nobody knew is no missing history', () => {
  expect(why([null, null], [4, 4])).toBe(
    'How many vGPUs were used is unknown for all of these 30 days, their capacity is not.',
  )
})

test('a time of which nothing is known, and a subject without a series', () => {
  expect(why([null], [null])).toBe('Nothing is known of these 30 days.')
  expect(whyNothingDrawn({ data, series: undefined, isHeld: false }, 30)).toBe(
    'Nothing is known of these 30 days.',
  )
})

test('a flavor or a project without a series was used by nobody', () => {
  expect(whyNothingDrawn({ data, series: undefined, isHeld: true }, 30)).toBe(
    'No server is known to have held a vGPU of it in these 30 days.',
  )
})

test('a console that knows nothing says how a history begins', () => {
  expect(whyNothingDrawn({ data: { firstKnownAt: null }, series: undefined, isHeld: false }, 30)).toMatch(
    /^No history yet: /,
  )
})

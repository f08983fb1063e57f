import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBackOff } from './back-off'

test('the upper edge doubles from the base to the cap', () => {
  const backOff = createBackOff({ baseMs: 1000, capMs: 10_000, random: () => 0.999_999 })
  const waits = Array.from({ length: 6 }, () => backOff.nextMs())
  expect(waits).toEqual([999, 1999, 3999, 7999, 9999, 9999])
})

test('a success starts again at the base', () => {
  const backOff = createBackOff({ baseMs: 1000, capMs: 10_000, random: () => 0.5 })
  backOff.nextMs()
  expect(backOff.nextMs()).toBe(1000)
  backOff.reset()
  expect(backOff.nextMs()).toBe(500)
})

test('the wait is anywhere between nothing and the edge', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 200 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (failures, share) => {
        const backOff = createBackOff({ baseMs: 1000, capMs: 300_000, random: () => share })
        for (let failure = 0; failure < failures; failure += 1) backOff.nextMs()
        const edge = Math.min(300_000, 1000 * 2 ** failures)
        expect(backOff.nextMs()).toBe(Math.floor(share * edge))
      },
    ),
  )
})

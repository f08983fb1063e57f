import { expect, test } from 'vitest'
import { positionNextTo } from './position-next-to'

const viewport = { width: 400, height: 300 }
const note = { width: 100, height: 40 }

test('a note is above its anchor, centred', () => {
  expect(positionNextTo({ anchor: { left: 150, top: 100, width: 20, height: 20 }, note, viewport })).toEqual({
    left: 110,
    top: 54,
  })
})

test('without space above it is below', () => {
  const spot = positionNextTo({ anchor: { left: 150, top: 10, width: 20, height: 20 }, note, viewport })
  expect(spot.top).toBe(36)
})

test('it never leaves the viewport sideways', () => {
  expect(positionNextTo({ anchor: { left: 0, top: 100, width: 10, height: 10 }, note, viewport }).left).toBe(
    8,
  )
  expect(
    positionNextTo({ anchor: { left: 390, top: 100, width: 10, height: 10 }, note, viewport }).left,
  ).toBe(292)
})

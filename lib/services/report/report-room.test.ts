import { expect, test } from 'vitest'
import { createReportRoom } from './report-room'

const MOST = 10

const open = () => {
  let now = 0
  const room = createReportRoom({ most: MOST, nowMs: () => now })
  return {
    room,
    pass: (ms: number) => {
      now += ms
    },
    fill: () => Array.from({ length: MOST }, room.enter),
  }
}

const refused = (retryAfterSeconds: number) =>
  expect.objectContaining({ code: 'overloaded', retryAfterSeconds })

test('who finds no room is refused, and a place that is given back is free once', () => {
  const { room, fill } = open()
  const [leave] = fill()
  for (const ask of [room.check, room.enter]) expect(ask).toThrow(refused(5))
  leave?.()
  leave?.()
  room.check()
  room.enter()
  expect(room.enter).toThrow(refused(5))
})

test.each([
  [10, 1],
  [5, 2],
  [1, 5],
])('%i in a second leave: who is refused is told %i s', (perSecond, seconds) => {
  const { room, pass, fill } = open()
  const leaves = fill()
  for (const leave of leaves.slice(0, perSecond)) {
    pass(1000 / perSecond)
    leave()
  }
  for (let place = 0; place < perSecond; place += 1) room.enter()
  expect(room.enter).toThrow(refused(seconds))
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { detectBlindness } from './blindness'

const nowMs = 1_800_000_000_000
const silentAfterMs = 120_000
const secondsAgo = (seconds: number): number => nowMs - seconds * 1000
const detect = (seenMs: number[]) => {
  const silentWordsMs = seenMs.filter((word) => word < nowMs - silentAfterMs)
  const speakingCount = seenMs.length - silentWordsMs.length
  return detectBlindness({ speakingCount, silentWordsMs, nowMs, silentAfterMs })
}
const many = (count: number, word: number): number[] => Array.from({ length: count }, () => word)

test('a speaking fleet is seen', () => {
  expect(detect(many(24, secondsAgo(12)))).toEqual({ isFleetSilent: false, sinceMs: null })
})

test('if most hosts go silent within one interval, the fleet is silent since their last report', () => {
  const words = [...many(4, secondsAgo(10)), ...many(19, secondsAgo(300)), secondsAgo(270)]
  expect(detect(words)).toEqual({ isFleetSilent: true, sinceMs: secondsAgo(270) })
})

test('half of the hosts gone is not most', () => {
  expect(detect([...many(12, secondsAgo(10)), ...many(12, secondsAgo(300))]).isFleetSilent).toBe(false)
})

test('the same hosts gone one after the other are hosts that went down', () => {
  const oneByOne = Array.from({ length: 19 }, (_, index) => secondsAgo(300 + index * 600))
  expect(detect([...many(10, secondsAgo(10)), ...oneByOne]).isFleetSilent).toBe(false)
})

test('hosts that were gone before do not hide it', () => {
  const words = [...many(30, secondsAgo(900_000)), ...many(20, secondsAgo(300)), secondsAgo(5)]
  expect(detect(words).isFleetSilent).toBe(true)
})

test('one more host that went later does not hide it', () => {
  const words = [...many(20, secondsAgo(900)), secondsAgo(200), ...many(3, secondsAgo(5))]
  expect(detect(words)).toEqual({ isFleetSilent: true, sinceMs: secondsAgo(900) })
})

test('after a day a silent group is about its hosts, unless no host reports', () => {
  const gone = many(20, secondsAgo(100_000))
  expect(detect([...gone, ...many(5, secondsAgo(5))]).isFleetSilent).toBe(false)
  expect(detect(gone).isFleetSilent).toBe(true)
})

test('one silent host, or no host at all, does not mean that the fleet is silent', () => {
  expect(detect([secondsAgo(300)]).isFleetSilent).toBe(false)
  expect(detect([]).isFleetSilent).toBe(false)
})

test('the order of the hosts does not matter, and sight needs no more than half of them', () => {
  const word = fc.integer({ min: 0, max: 3600 }).map(secondsAgo)
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (words) => {
      const found = detect(words)
      expect(detect(words.toReversed())).toEqual(found)
      const speaking = words.filter((at) => at >= nowMs - silentAfterMs).length
      if (speaking * 2 >= words.length) expect(found.isFleetSilent).toBe(false)
      if (found.isFleetSilent) expect(found.sinceMs).toBeLessThan(nowMs - silentAfterMs)
    }),
  )
})

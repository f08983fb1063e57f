import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedStretch } from './changed-stretch'

const POOL = ['a', 'b', 'c'].map((name) => ({ name }))
const list = fc.array(fc.constantFrom(...POOL), { maxLength: 6 })

test('before and behind a stretch stand the same objects, at its ends others, and equal lists have none', () => {
  fc.assert(
    fc.property(list, list, (before, after) => {
      const stretch = changedStretch(before, after)
      const isSame = before.length === after.length && before.every((item, place) => item === after[place])
      expect(stretch === null).toBe(isSame)
      if (stretch === null) return
      const { start, beforeEnd, afterEnd } = stretch
      expect(Math.min(beforeEnd, afterEnd)).toBeGreaterThanOrEqual(start)
      expect(before.toSpliced(start, beforeEnd - start, ...after.slice(start, afterEnd))).toEqual(after)
      expect(before.length - beforeEnd).toBe(after.length - afterEnd)
      if (beforeEnd > start && afterEnd > start) {
        expect(before[start]).not.toBe(after[start])
        expect(before[beforeEnd - 1]).not.toBe(after[afterEnd - 1])
      }
    }),
    { numRuns: 2000 },
  )
})

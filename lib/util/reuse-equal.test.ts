import fc from 'fast-check'
import { expect, it } from 'vitest'
import { allSteps } from './all-steps'
import { reuseEqual } from './reuse-equal'

const json = fc.jsonValue({ maxDepth: 3 })

it('an equal value is the value before itself', () => {
  fc.assert(
    fc.property(json, (value) => {
      const before = structuredClone(value)
      expect(allSteps(reuseEqual(before, structuredClone(value)))).toBe(before)
    }),
  )
})

it('the result always equals the new value', () => {
  fc.assert(
    fc.property(fc.array(json), fc.array(json), (before, now) => {
      expect(allSteps(reuseEqual(before, now))).toEqual(now)
      expect(allSteps(reuseEqual<unknown>({ before }, { now }))).toEqual({ now })
    }),
  )
})

it('a changed item replaces the old one, and the others stay', () => {
  const before = [{ id: 1 }, { id: 2, traits: ['a'] }, { id: 3 }]
  const after = allSteps(reuseEqual(before, [{ id: 1 }, { id: 2, traits: ['b'] }, { id: 3 }]))
  expect(after).toEqual([{ id: 1 }, { id: 2, traits: ['b'] }, { id: 3 }])
  expect([after[0], after[2]]).toEqual([before[0], before[2]])
  expect(after[0]).toBe(before[0])
  expect(after[2]).toBe(before[2])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyTraitChange, isNoChange, reverseTraitChange, traitChange } from './merge-traits'

const name = fc.constantFrom('CUSTOM_A', 'CUSTOM_B', 'CUSTOM_C', 'HW_GPU', 'CUSTOM_FOREIGN', 'OWNER_NOVA')
const traits = fc.uniqueArray(name)
const task = { trait: 'CUSTOM_A', otherTypes: ['CUSTOM_B', 'CUSTOM_C'] }
const foreign = (list: readonly string[]) =>
  list.filter((one) => one !== task.trait && !task.otherTypes.includes(one)).toSorted()

test('after it a provider has its trait, none of another type, and all that is foreign', () => {
  fc.assert(
    fc.property(traits, (before) => {
      const after = applyTraitChange(traitChange(task, before), before)
      expect(after).toContain('CUSTOM_A')
      expect(after.filter((one) => task.otherTypes.includes(one))).toEqual([])
      expect(foreign(after)).toEqual(foreign(before))
      expect(isNoChange(traitChange(task, after))).toBe(true)
    }),
  )
})

test('when it is reverted, it leaves what was there before, and what others did in the meantime', () => {
  fc.assert(
    fc.property(traits, traits, (before, concurrent) => {
      const change = traitChange(task, before)
      const after = [...new Set([...applyTraitChange(change, before), ...foreign(concurrent)])]
      const back = applyTraitChange(reverseTraitChange(change, after), after)
      expect(back.toSorted()).toEqual([...new Set([...before, ...foreign(concurrent)])].toSorted())
    }),
  )
})

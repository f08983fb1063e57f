import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyTests, SEED_VARIABLE } from './property-seed'

test('every property test of a run starts from the printed seed', () => {
  const seed = Number(process.env[SEED_VARIABLE])
  expect(Number.isInteger(seed)).toBe(true)
  expect(fc.readConfigureGlobal().seed).toBe(seed)
  const details = fc.check(
    fc.property(fc.nat(), () => false),
    { endOnFailure: true },
  )
  expect(details.seed).toBe(seed)
})

test('property tests of services and files without properties are not listed', () => {
  const files = propertyTests(process.cwd(), ['lib', 'scripts'])
  expect(files).toContain('lib/domain/plans/step-states.test.ts')
  expect(files).toContain('scripts/testing/property-seed.test.ts')
  expect(files.filter((file) => file.startsWith('lib/services/'))).toEqual([])
  expect(files).not.toContain('scripts/testing/short-form.test.ts')
})

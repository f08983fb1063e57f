import { describe, expect, test } from 'vitest'
import { computeRange, novaRange, rangeHas } from './nova-releases'

describe('the releases that a nova-compute may be', () => {
  const cloud = novaRange('2.100')

  test.each([
    ['29.2.0', { min: 29, max: 29 }],
    ['31.1.0.dev7', { min: 31, max: 31 }],
    ['0.0.1.dev4', cloud],
    ['master', cloud],
    [null, cloud],
  ])('version %s', (version, range) => {
    expect(computeRange(version, cloud)).toEqual(range)
  })
})

test('a behavior that a minor release has too is unknown for its release alone', () => {
  const release = (number: number) => ({ min: number, max: number })
  expect(rangeHas(release(32), 'aliasCheckAtStart')).toBe(true)
  expect(rangeHas(release(31), 'aliasCheckAtStart')).toBeNull()
  expect(rangeHas(release(30), 'aliasCheckAtStart')).toBe(false)
  expect(rangeHas(release(31), 'oneTimeUse')).toBe(false)
})

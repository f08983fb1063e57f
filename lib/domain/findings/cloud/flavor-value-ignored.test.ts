import { expect, it } from 'vitest'
import { findOne, sentences, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, spoken } from '@/lib/domain/testing/build-cloud'

const CODE = 'flavor-value-ignored'
const GOOD = { 'resources:VGPU': '1', 'trait:CUSTOM_T4_4C': 'required' }
/** The healthy flavor beside the one under test, so that nothing else is amiss. */
const withFlavor = (extraSpecs: Record<string, string>) =>
  withFacts(t4Cloud(), {
    flavors: spoken([
      buildFlavor({ name: 'good', extraSpecs: GOOD }),
      buildFlavor({ name: 'odd', extraSpecs }),
    ]),
  })
const codesOf = (extraSpecs: Record<string, string>) =>
  sentences(withFlavor(extraSpecs)).map((text) => text.split(':')[0])

it.each([
  ['resources:VGPU', 'vgpu:1', 'the amount must be a whole number'],
  ['resources:VGPU', '1.0', 'the amount must be a whole number'],
  ['trait:CUSTOM_T4_4C', 'yes', 'only required and forbidden are known'],
])('%s=%s', (key, value, because) => {
  expect(codesOf({ [key]: value })).toEqual([CODE])
  expect(findOne(withFlavor({ [key]: value }), CODE)).toMatchObject({
    blame: 'nova',
    subject: { kind: 'flavor', id: 'odd' },
    sentence: `Nova ignores ${key}=${value} of odd: ${because}`,
  })
})

it('what Python reads as a number is fine', () => {
  expect(codesOf({ ...GOOD, 'resources:VGPU': ' 1 ' })).toEqual([])
})

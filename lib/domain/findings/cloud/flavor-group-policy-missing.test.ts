import { expect, it } from 'vitest'
import { findOne, sentences, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, readPart } from '@/lib/domain/testing/build-cloud'

const CODE = 'flavor-group-policy-missing'
const GOOD = { 'resources:VGPU': '1', 'trait:CUSTOM_T4_4C': 'required' }
/** Adds the flavor under test to the healthy one, so that there is no other problem. */
const withFlavor = (extraSpecs: Record<string, string>) =>
  withFacts(t4Cloud(), {
    // With a Nova that gives both vGPUs.
    versions: { ...t4Cloud().facts.versions, nova: '2.103' },
    flavors: readPart([
      buildFlavor({ name: 'good', extraSpecs: GOOD }),
      buildFlavor({ name: 'odd', extraSpecs }),
    ]),
  })
const codesOf = (extraSpecs: Record<string, string>) =>
  sentences(withFlavor(extraSpecs)).map((text) => text.split(':')[0])

const TWO = {
  'resources1:VGPU': '1',
  'trait1:CUSTOM_T4_4C': 'required',
  'resources2:VGPU': '1',
  'trait2:CUSTOM_T4_4C': 'required',
}

it('two groups without a policy, or with one that is unknown', () => {
  expect(codesOf(TWO)).toEqual([CODE])
  expect(findOne(withFlavor({ ...TWO, group_policy: 'spread' }), CODE).sentence).toContain('spread')
})

it('is fine with a policy, or with one group', () => {
  expect(codesOf({ ...TWO, group_policy: 'none' })).toEqual([])
  expect(codesOf({ 'resources1:VGPU': '1', 'trait1:CUSTOM_T4_4C': 'required' })).toEqual([])
})

import { expect, it } from 'vitest'
import { findOne, sentences, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, readPart } from '@/lib/domain/testing/build-cloud'

const CODE = 'flavor-trait-unknown'
const GOOD = { 'resources:VGPU': '1', 'trait:CUSTOM_T4_4C': 'required' }
/** Adds the flavor under test to the healthy one, so that there is no other problem. */
const withFlavor = (extraSpecs: Record<string, string>) =>
  withFacts(t4Cloud(), {
    flavors: readPart([
      buildFlavor({ name: 'good', extraSpecs: GOOD }),
      buildFlavor({ name: 'odd', extraSpecs }),
    ]),
  })
const codesOf = (extraSpecs: Record<string, string>) =>
  sentences(withFlavor(extraSpecs)).map((text) => text.split(':')[0])

it('a required trait that no provider has', () => {
  expect(codesOf({ 'resources:VGPU': '1', 'trait:CUSTOM_GOLD': 'required' })).toEqual([CODE])
  expect(
    findOne(withFlavor({ 'resources:VGPU': '1', 'trait:CUSTOM_GOLD': 'required' }), CODE).evidence,
  ).toHaveLength(2)
})

it('the command removes the trait from every request group that requires it', () => {
  const specs = {
    'resources1:VGPU': '1',
    'resources2:VGPU': '1',
    'resources3:VGPU': '1',
    'trait1:CUSTOM_GOLD': 'required',
    'trait2:CUSTOM_GOLD': 'required',
    'trait3:CUSTOM_GOLD': 'forbidden',
    group_policy: 'none',
  }
  expect(findOne(withFlavor(specs), CODE).command).toBe(
    'openstack flavor unset --property trait1:CUSTOM_GOLD --property trait2:CUSTOM_GOLD odd',
  )
})

it('a forbidden one is no trouble', () => {
  expect(codesOf({ ...GOOD, 'trait:CUSTOM_GOLD': 'forbidden' })).toEqual([])
})

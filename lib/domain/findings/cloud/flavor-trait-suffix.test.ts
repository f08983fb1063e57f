import { expect, it } from 'vitest'
import { findOne, sentences, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, inventoryOf, readPart, rootOf } from '@/lib/domain/testing/build-cloud'

const CODE = 'flavor-trait-suffix'
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

it.each([
  ['forgotten', { 'resources1:VGPU': '1', 'trait:CUSTOM_T4_4C': 'required' }, 'trait1:CUSTOM_T4_4C'],
  [
    'of a group without resources',
    { 'resources:VGPU': '1', 'trait1:CUSTOM_T4_4C': 'required' },
    'trait:CUSTOM_T4_4C',
  ],
  [
    'of the GPU on a trait of the compute node',
    {
      'resources1:VGPU': '1',
      'trait1:COMPUTE_STATUS_ENABLED': 'required',
      'trait1:CUSTOM_T4_4C': 'required',
    },
    'trait:COMPUTE_STATUS_ENABLED',
  ],
])('a suffix %s', (_, extraSpecs, wanted) => {
  expect(codesOf(extraSpecs)).toContain(CODE)
  expect(findOne(withFlavor(extraSpecs), CODE).nextStep).toBe(`Write it as ${wanted}.`)
})

it('next to a resource that is no GPU', () => {
  const license = {
    'resources:CUSTOM_LICENSE': '1',
    'trait:CUSTOM_T4_4C': 'required',
    'resources1:VGPU': '1',
  }
  const input = withFlavor(license)
  const owner = rootOf('license-host', 78, { inventories: { CUSTOM_LICENSE: inventoryOf(4, 0) } })
  const providers = readPart([...(input.facts.providers.value ?? []), owner])
  expect(findOne(withFacts(input, { providers }), CODE).nextStep).toBe('Write it as trait1:CUSTOM_T4_4C.')
})

it('next to its resource, or on the compute node without a group, it is right', () => {
  expect(
    codesOf({
      'resources1:VGPU': '1',
      'trait1:CUSTOM_T4_4C': 'required',
      'trait:COMPUTE_STATUS_ENABLED': 'required',
    }),
  ).toEqual([])
})

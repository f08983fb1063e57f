import { expect, it } from 'vitest'
import { findOne, sentences, t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, readPart } from '@/lib/domain/testing/build-cloud'

const CODE = 'flavor-class-without-inventory'
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

import { editGpuProviders, gapsOf } from '@/lib/domain/testing/break-cloud'

it('a class that nothing offers', () => {
  expect(codesOf({ 'resources:CUSTOM_A40': '1' })).toEqual([CODE])
  expect(findOne(withFlavor({ 'resources:CUSTOM_A40': '1' }), CODE).sentence).toBe(
    'odd requests CUSTOM_A40, which no provider offers',
  )
})

it('is unknown while an inventory is unread', () => {
  const input = editGpuProviders(withFlavor({ 'resources:CUSTOM_A40': '1' }), (provider) => ({
    ...provider,
    inventories: null,
  }))
  expect(gapsOf(input, CODE)[0]).toBe('the inventory of cmp-1_pci_0000_20_00_0 has not been read')
  expect(sentences(input).filter((text) => text.startsWith(CODE))).toEqual([])
})

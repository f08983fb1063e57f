import { expect, it } from 'vitest'
import { findOne, sentences, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, spoken } from '@/lib/domain/testing/build-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'

const CODE = 'types-not-told-apart'
const mixed = (extraSpecs: Record<string, string>, isDisabled = false) =>
  withFacts(
    buildHealthyCloud([
      { cards: [{ kind: 'T4', used: 0, spare: 0 }], hasDomain: false },
      { cards: [{ kind: 'A40', used: 0, spare: 0 }], hasDomain: false },
    ]),
    { flavors: spoken([buildFlavor({ name: 'any', extraSpecs, isDisabled })]) },
  )
const found = (extraSpecs: Record<string, string>, isDisabled = false) =>
  sentences(mixed(extraSpecs, isDisabled)).filter((text) => text.startsWith(CODE))

it('VGPU alone reaches every type', () => {
  expect(findOne(mixed({ 'resources:VGPU': '1' }), CODE)).toMatchObject({
    blame: 'nova',
    subject: { kind: 'flavor', id: 'any', name: 'any' },
    sentence: 'any reaches A40-4Q and T4-4C',
  })
})

it('a trait tells them apart, required or forbidden, with a group or without', () => {
  expect(found({ 'resources:VGPU': '1', 'trait:CUSTOM_T4_4C': 'required' })).toEqual([])
  expect(found({ 'resources1:VGPU': '1', 'trait1:CUSTOM_T4_4C': 'forbidden' })).toEqual([])
  expect(found({ 'resources:VGPU': '1' }, true)).toEqual([])
})

import { describe, expect, it } from 'vitest'
import { detect, editHosts, findOne, sentences, withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, readPart } from '@/lib/domain/testing/build-cloud'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'

const CODE = 'types-not-told-apart'
const mixed = (extraSpecs: Record<string, string>, isDisabled = false) =>
  withFacts(
    buildHealthyCloud([
      { cards: [{ kind: 'T4', used: 0, spare: 0 }], hasDomain: false },
      { cards: [{ kind: 'A40', used: 0, spare: 0 }], hasDomain: false },
    ]),
    { flavors: readPart([buildFlavor({ name: 'any', extraSpecs, isDisabled })]) },
  )
const found = (extraSpecs: Record<string, string>, isDisabled = false) =>
  sentences(mixed(extraSpecs, isDisabled)).filter((text) => text.startsWith(CODE))

it('VGPU alone reaches every type', () => {
  expect(findOne(mixed({ 'resources:VGPU': '1' }), CODE)).toMatchObject({
    sourceToCorrect: 'nova',
    subject: { kind: 'flavor', id: 'any', name: 'any' },
    sentence: 'any matches vGPUs of A40-4Q and T4-4C',
  })
})

it('a trait distinguishes them, required or forbidden, with a group or without', () => {
  expect(found({ 'resources:VGPU': '1', 'trait:CUSTOM_T4_4C': 'required' })).toEqual([])
  expect(found({ 'resources1:VGPU': '1', 'trait1:CUSTOM_T4_4C': 'forbidden' })).toEqual([])
  expect(found({ 'resources:VGPU': '1' }, true)).toEqual([])
})

it('two groups that request one type each are fine, and a group without a trait is named', () => {
  const two = { 'resources1:VGPU': '1', 'resources2:VGPU': '1', 'trait2:CUSTOM_A40_4Q': 'required' }
  expect(found({ ...two, 'trait1:CUSTOM_T4_4C': 'required' })).toEqual([])
  const first = findOne(mixed(two), CODE)
  expect(first.nextStep).toMatch(/ for example trait1:CUSTOM_… = required\.$/)
  const { 'trait2:CUSTOM_A40_4Q': _, ...none } = two
  expect(findOne(mixed(none), CODE).nextStep).toMatch(
    / for example trait1:CUSTOM_… = required and trait2:CUSTOM_… = required\.$/,
  )
})

describe('a card with the trait of its former type', () => {
  /** cmp-1 changed its T4 from T4-4C to T4-1B while `left` mdevs of T4-4C are left; cmp-2 has T4-4C. */
  const changed = (left: number, extraSpecs: Record<string, string>) => {
    const hosts = buildHealthyCloud([
      { cards: [{ kind: 'T4', used: 0, spare: left }], hasDomain: false },
      { cards: [{ kind: 'T4', used: 0, spare: 1 }], hasDomain: false },
    ])
    const conf =
      '[devices]\nenabled_mdev_types = nvidia-222\n[mdev_nvidia-222]\ndevice_addresses = 0000:20:00.0'
    const edited = editHosts(hosts, (inventory) =>
      inventory.host.name === 'cmp-1' ? { ...inventory, novaConfig: novaConf(conf) } : inventory,
    )
    return withFacts(edited, { flavors: readPart([buildFlavor({ name: 'own', extraSpecs })]) })
  }
  const codesOf = (input: ReturnType<typeof changed>) => detect(input).findings.map(({ code }) => code)

  it.each([
    ['', 1, 'orphan-mdevs'],
    ['1', 1, 'orphan-mdevs'],
    ['', 0, 'trait-names-other-type'],
  ])('is the fault, not the flavor with trait%s of its type (%i orphan)', (suffix, left, cause) => {
    const input = changed(left, {
      [`resources${suffix}:VGPU`]: '1',
      [`trait${suffix}:CUSTOM_T4_4C`]: 'required',
    })
    expect(codesOf(input)).toContain(cause)
    expect(codesOf(input)).not.toContain(CODE)
  })

  it('does not hide a flavor without a trait', () => {
    expect(findOne(changed(1, { 'resources:VGPU': '1' }), CODE).sentence).toBe(
      'own matches vGPUs of T4-1B and T4-4C',
    )
  })
})

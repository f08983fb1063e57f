import { expect, it } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { rememberTraits } from '@/lib/domain/cloud/remember-traits'
import { a40Cloud, editGpuProviders, findOne, sentences, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { uuidOf } from '@/lib/domain/testing/build-inventory'

const CODE = 'trait-lost'
const lostOf = (input: Parameters<typeof sentences>[0]) =>
  sentences(input).filter((text) => text.startsWith(CODE))

const recreated = () =>
  editGpuProviders({ ...t4Cloud(), traitMemory: rememberTraits(joinFleet(t4Cloud())) }, (provider) => ({
    ...provider,
    uuid: uuidOf(0x30_0000),
    traits: [],
  }))

it('a provider that Nova recreated has lost the traits of the old one', () => {
  const finding = findOne(recreated(), CODE)
  expect(finding).toMatchObject({
    sourceToCorrect: 'placement',
    sentence: 'a provider of the pGPU lost CUSTOM_T4_4C',
  })
  expect(finding.evidence.at(-1)?.reported).toBe('00000000-0000-4000-8000-000000200000 had CUSTOM_T4_4C')
})

it('a card that is assigned whole has lost nothing, and is known to have when it is sliced again', () => {
  const whole = editGpuProviders(recreated(), (provider) => ({ ...provider, name: 'cmp-1_0000:20:00.0' }))
  expect(lostOf(whole)).toEqual([])
  const memory = rememberTraits(joinFleet(whole))
  expect(memory).toEqual(recreated().traitMemory)
  expect(lostOf({ ...recreated(), traitMemory: memory })).toHaveLength(1)
})

it('is remembered until the trait is back', () => {
  const input = recreated()
  expect(lostOf({ ...input, traitMemory: rememberTraits(joinFleet(input)) })).toHaveLength(1)
  const healed = editGpuProviders(input, (provider) => ({ ...provider, traits: ['CUSTOM_T4_4C'] }))
  const memory = rememberTraits(joinFleet(healed))
  expect(lostOf({ ...healed, traitMemory: memory })).toEqual([])
  expect(memory[0]?.providerUuid).toBe(uuidOf(0x30_0000))
})

it('a trait that is removed from an existing provider is not lost', () => {
  const input = { ...t4Cloud(), traitMemory: rememberTraits(joinFleet(t4Cloud())) }
  expect(lostOf(editGpuProviders(input, (provider) => ({ ...provider, traits: [] })))).toEqual([])
})

it('VFs of one card without the trait of the others', () => {
  const input = editGpuProviders(a40Cloud(), (provider, position) =>
    position > 10 ? { ...provider, traits: [] } : provider,
  )
  const { sentence, command } = findOne(input, CODE)
  expect(sentence).toBe('2 providers of the pGPU lost CUSTOM_A40_4Q')
  const uuids = (input.facts.providers.value ?? [])
    .filter(({ traits }) => traits?.length === 0)
    .map(({ uuid }) => uuid)
  expect(command?.split(' && ')).toEqual([
    'openstack --os-placement-api-version 1.6 trait create CUSTOM_A40_4Q',
    ...uuids.map(
      (uuid) =>
        `openstack --os-placement-api-version 1.6 resource provider trait set --trait CUSTOM_A40_4Q ${uuid}`,
    ),
  ])
})

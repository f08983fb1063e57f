import { expect, it } from 'vitest'
import {
  a40Cloud,
  detect,
  editGpuProviders,
  editNovaConf,
  findOne,
  sentences,
  t4Cloud,
} from '@/lib/domain/testing/break-cloud'

const CODE = 'trait-names-other-type'
const tagged = (trait: string) =>
  editGpuProviders(t4Cloud(), (provider) => ({ ...provider, traits: ['CUSTOM_T4_4C', trait] }))

it.each(['CUSTOM_T4_16C', 'CUSTOM_GRID_T4_16C', 'CUSTOM_NVIDIA_321'])('%s names T4-16C', (trait) => {
  expect(findOne(tagged(trait), CODE)).toMatchObject({
    sourceToCorrect: 'placement',
    sentence: `the trait ${trait} names T4-16C, but the card has T4-4C`,
  })
})

it('the command creates the right trait, and sets the traits of each provider once', () => {
  const [, uuid] = (t4Cloud().facts.providers.value ?? []).map((provider) => provider.uuid)
  const both = editGpuProviders(tagged('CUSTOM_T4_16C'), (provider) => ({
    ...provider,
    traits: ['CUSTOM_T4_16C', 'CUSTOM_GRID_T4_16C', 'CUSTOM_RACK_7'],
  }))
  expect(findOne(both, CODE).command?.split(' && ')).toEqual([
    'openstack --os-placement-api-version 1.6 trait create CUSTOM_T4_4C',
    'openstack --os-placement-api-version 1.6 trait create CUSTOM_GRID_T4_4C',
    `openstack --os-placement-api-version 1.6 resource provider trait set --trait CUSTOM_GRID_T4_4C --trait CUSTOM_RACK_7 --trait CUSTOM_T4_4C ${uuid}`,
  ])
})

it('the command corrects every provider of the card', () => {
  const input = editGpuProviders(a40Cloud(), (provider, position) =>
    position <= 2 ? { ...provider, traits: ['CUSTOM_A40_8Q'] } : provider,
  )
  const { command } = findOne(input, CODE)
  expect(command?.match(/resource provider trait set --trait CUSTOM_A40_4Q/g)).toHaveLength(2)
})

it('traits that name the type or nothing are fine', () => {
  for (const trait of ['CUSTOM_GRID_T4_4C', 'CUSTOM_RACK_7', 'HW_GPU_API_VULKAN'])
    expect(sentences(tagged(trait))).toEqual([])
})

it('a trait that names what servers hold there is right: nova.conf changed under them', () => {
  const early = editNovaConf(t4Cloud(), '[devices]\nenabled_mdev_types = nvidia-321')
  const { findings } = detect(early)
  expect(findings.map(({ code }) => code)).not.toContain(CODE)
  expect(findOne(early, 'used-type-not-configured').sourceToCorrect).toBe('nova.conf')
  expect(findOne(early, 'placement-total-old')).toMatchObject({
    sourceToCorrect: 'nova.conf',
    nextStep: expect.stringContaining('A restart alone does not help'),
  })
})

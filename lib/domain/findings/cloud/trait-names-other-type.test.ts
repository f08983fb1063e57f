import { expect, it } from 'vitest'
import {
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
    blame: 'placement',
    sentence: `the trait ${trait} names T4-16C, the card is on T4-4C`,
  })
})

it('traits that name the type or nothing are fine', () => {
  for (const trait of ['CUSTOM_GRID_T4_4C', 'CUSTOM_RACK_7', 'HW_GPU_API_VULKAN'])
    expect(sentences(tagged(trait))).toEqual([])
})

it('a trait that names what servers hold there is right: nova.conf changed under them', () => {
  const early = editNovaConf(t4Cloud(), '[devices]\nenabled_mdev_types = nvidia-321')
  const { findings } = detect(early)
  expect(findings.map(({ code }) => code)).not.toContain(CODE)
  expect(findOne(early, 'used-type-not-configured').blame).toBe('nova.conf')
  expect(findOne(early, 'placement-total-old')).toMatchObject({
    blame: 'nova.conf',
    nextStep: expect.stringContaining('A restart alone does not help'),
  })
})

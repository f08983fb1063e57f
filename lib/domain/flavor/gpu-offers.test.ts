import { describe, expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import type { ResourceProvider } from '@/lib/domain/cloud/types'
import { withFacts } from '@/lib/domain/testing/break-cloud'
import { readPart } from '@/lib/domain/testing/build-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { allSteps } from '@/lib/util/all-steps'
import { gpuOffers } from './gpu-offers'

const mixed = () =>
  buildHealthyCloud([
    { cards: [{ kind: 'T4', used: 0, spare: 0 }], hasDomain: false },
    { cards: [{ kind: 'A40', used: 0, spare: 0 }], hasDomain: false },
  ])

const withProviders = (change: (provider: ResourceProvider) => ResourceProvider) => {
  const facts = mixed()
  return withFacts(facts, { providers: readPart((facts.facts.providers.value ?? []).map(change)) })
}

const offers = (facts: ReturnType<typeof mixed>) =>
  allSteps(gpuOffers(joinFleet(facts))).map(({ name, resourceClass, trait, isClassEnough, because }) => ({
    name,
    resourceClass,
    trait,
    isClassEnough,
    because,
  }))

describe('offered types', () => {
  test('come with the trait that their providers alone carry', () => {
    expect(offers(mixed())).toEqual([
      { name: 'A40-4Q', resourceClass: 'VGPU', trait: 'CUSTOM_A40_4Q', isClassEnough: false, because: null },
      { name: 'T4-4C', resourceClass: 'VGPU', trait: 'CUSTOM_T4_4C', isClassEnough: false, because: null },
    ])
    const [first] = allSteps(gpuOffers(joinFleet(mixed())))
    expect(first).toMatchObject({ typeId: 'nvidia-560', framebufferMib: 4096, pgpuCount: 1 })
    expect(first?.hosts).toHaveLength(1)
  })

  test('state that no trait distinguishes them', () => {
    const same = withProviders((provider) => ({
      ...provider,
      traits: provider.parentUuid === null ? provider.traits : ['CUSTOM_GPU'],
    }))
    expect(offers(same)).toMatchObject([
      { trait: null, because: 'no trait distinguishes it from T4-4C of the class VGPU: tag its pGPUs first' },
      {
        trait: null,
        because: 'no trait distinguishes it from A40-4Q of the class VGPU: tag its pGPUs first',
      },
    ])
  })

  test('do not rely on a trait that a provider of another type has too', () => {
    const facts = mixed()
    const last = (facts.facts.providers.value ?? []).findLast(({ traits }) =>
      traits?.includes('CUSTOM_A40_4Q'),
    )
    const also = withProviders((provider) =>
      provider.uuid === last?.uuid ? { ...provider, traits: ['CUSTOM_A40_4Q', 'CUSTOM_T4_4C'] } : provider,
    )
    expect(offers(also)).toMatchObject([
      { name: 'A40-4Q', trait: 'CUSTOM_A40_4Q' },
      { name: 'T4-4C', trait: null },
    ])
  })

  test('need no trait where the class is theirs alone', () => {
    const alone = withFacts(mixed(), {})
    const only = { ...alone, hosts: alone.hosts.slice(0, 1) }
    const rootUuids = new Set(joinFleet(only).hosts.flatMap(({ root }) => root.value?.uuid ?? []))
    const providers = (only.facts.providers.value ?? []).filter(({ rootUuid }) => rootUuids.has(rootUuid))
    expect(offers(withFacts(only, { providers: readPart(providers) }))).toMatchObject([
      { name: 'T4-4C', isClassEnough: true, because: null },
    ])
  })

  test('do not trust a trait that a host without an agent carries too', () => {
    const alone = mixed()
    const unseen = { ...alone, hosts: alone.hosts.slice(0, 1) }
    const providers = (unseen.facts.providers.value ?? []).map((provider) => ({
      ...provider,
      traits: provider.parentUuid === null ? provider.traits : ['CUSTOM_T4_4C'],
    }))
    expect(offers(withFacts(unseen, { providers: readPart(providers) }))).toMatchObject([
      { name: 'T4-4C', trait: null, isClassEnough: false },
    ])
  })
})

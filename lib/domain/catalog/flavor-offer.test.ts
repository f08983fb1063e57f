import { expect, test } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { withFacts } from '@/lib/domain/testing/break-cloud'
import { buildFlavor, readPart, silentPart } from '@/lib/domain/testing/build-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { GPU_FLAVOR, K40C_CONF, k40cCloud } from '@/lib/domain/testing/k40c-cloud'
import { UNKNOWN_PART, WHOLE_CARD } from './card-share'
import type { OfferCard } from './flavor-offer'
import { availabilityOf, flavorOffer, offerOfPart, purposesOf } from './flavor-offer'
import { fleetParts } from './fleet-parts'

const card = (rest: Partial<OfferCard>): OfferCard => ({
  model: 'NVIDIA A40',
  typeName: 'A40-4Q',
  memoryMib: 4096,
  perCard: 12,
  isolation: 'time-sliced',
  share: { compute: { part: 1, of: 12 }, memory: null, perInstance: null },
  displays: 4,
  maxResolution: '7680x4320',
  series: 'Q',
  ...rest,
})

test('a series serves what it is licensed for, with enough memory', () => {
  expect(purposesOf([card({})])).toEqual(['desktop', 'cad'])
  expect(purposesOf([card({ memoryMib: 16_384 })])).toEqual([
    'desktop',
    'cad',
    'rendering',
    'training',
    'inference',
  ])
  expect(purposesOf([card({ series: 'B' })])).toEqual(['desktop'])
  expect(purposesOf([card({ series: 'C' })])).toEqual(['inference'])
  expect(purposesOf([card({ series: 'C', memoryMib: 8192 })])).toEqual(['training', 'inference'])
})

test('a whole card computes and renders', () => {
  expect(purposesOf([card({ series: null, typeName: null, memoryMib: 81_920, ...WHOLE_CARD })])).toEqual([
    'rendering',
    'training',
    'inference',
  ])
})

test('a flavor that may land on several cards offers what all of them do', () => {
  expect(purposesOf([card({}), card({ series: 'C', memoryMib: 8192 })])).toEqual([])
  expect(purposesOf([card({ memoryMib: 16_384 }), card({})])).toEqual(['desktop', 'cad'])
})

test('what no driver names offers nothing', () => {
  expect(purposesOf([])).toEqual([])
  expect(purposesOf([card({ series: null })])).toEqual([])
  expect(purposesOf([card({ series: null, typeName: null, ...UNKNOWN_PART })])).toEqual([])
  expect(purposesOf([card({ memoryMib: null })])).toEqual(['desktop'])
})

const word = (fits: number, whenEmpty: number, isKnown = true) => availabilityOf({ fits, whenEmpty, isKnown })

test('two or fewer are few, however small the cloud', () => {
  expect([0, 1, 2, 3].map((fits) => word(fits, 4))).toEqual(['none', 'few', 'few', 'free'])
})

test('in a large cloud less than an eighth is few', () => {
  expect([99, 100].map((fits) => word(fits, 800))).toEqual(['few', 'free'])
})

test('"none" is stated only if everything could be counted', () => {
  expect(word(0, 8, false)).toBe('unknown')
  expect(word(1, 8, false)).toBe('few')
})

test('other sizes of fleet and use give the same word', () => {
  expect(new Set([word(4, 4), word(400, 3000), word(3000, 3000)])).toEqual(new Set(['free']))
})

/** An A40 with three of twelve in use on cmp-1, an empty T4 on cmp-2. */
const CLOUD = buildHealthyCloud([
  { cards: [{ kind: 'A40', used: 3, spare: 0 }], hasDomain: false },
  { cards: [{ kind: 'T4', used: 0, spare: 0 }], hasDomain: true },
])

const aggregate = (hosts: string[], projects?: string) => ({
  id: 1,
  uuid: 'u',
  name: 'kept',
  availabilityZone: null,
  hosts,
  metadata: projects === undefined ? { gpu: 'yes' } : { filter_tenant_id: projects },
})
const keeping = (...aggregates: ReturnType<typeof aggregate>[]): FleetFacts =>
  withFacts(CLOUD, { aggregates: readPart(aggregates) })

const offerTo = (input: FleetFacts, projectId: string, name: string) => {
  const fleet = joinFleet(input)
  const flavor = input.facts.flavors.value?.find((one) => one.name === name)
  if (flavor === undefined) throw new Error(`the cloud has no ${name}`)
  const parts = fleetParts(fleet).map(({ projectIds, ...part }) => ({
    isOwn: projectIds?.has(projectId) ?? true,
    offer: offerOfPart(fleet, { projectIds, ...part }, flavor),
  }))
  const offersOf = (isOwn: boolean) => parts.filter((part) => part.isOwn === isOwn).map(({ offer }) => offer)
  return flavorOffer(fleet, flavor, { own: offersOf(true), others: offersOf(false) })
}

test('a host that an aggregate keeps for a project is nothing to others', () => {
  const offer = keeping(aggregate(['CMP-1'], 'p1, p2'))
  expect(offerTo(offer, 'p2', 'vgpu-A40')).toMatchObject({
    availability: 'free',
    cards: [{ model: 'NVIDIA A40' }],
  })
  expect(offerTo(offer, 'p3', 'vgpu-A40')).toBeNull()
  expect(offerTo(offer, 'p3', 'vgpu-T4')).toMatchObject({ availability: 'free' })
})

test('projects of several aggregates of a host add up, and other metadata excludes no project', () => {
  const offer = keeping(aggregate(['cmp-1'], 'p1'), aggregate(['cmp-1'], 'p2'), aggregate(['cmp-2']))
  expect(offerTo(offer, 'p1', 'vgpu-A40')).not.toBeNull()
  expect(offerTo(offer, 'p2', 'vgpu-A40')).not.toBeNull()
  expect(offerTo(offer, 'p3', 'vgpu-T4')).not.toBeNull()
})

test('what is free on hosts of others is not counted', () => {
  const both = buildHealthyCloud([
    { cards: [{ kind: 'T4', used: 4, spare: 0 }], hasDomain: false },
    { cards: [{ kind: 'T4', used: 0, spare: 0 }], hasDomain: false },
  ])
  const offer = withFacts(both, { aggregates: readPart([aggregate(['cmp-2'], 'p1')]) })
  expect(offerTo(offer, 'p1', 'vgpu-T4')?.availability).toBe('free')
  expect(offerTo(offer, 'p3', 'vgpu-T4')?.availability).toBe('none')
})

test('a flavor that no host serves is shown, which reveals nothing about others', () => {
  const bare = withFacts(keeping(aggregate(['cmp-1'], 'p1')), { providers: readPart([]) })
  expect(offerTo(bare, 'p3', 'vgpu-T4')).not.toBeNull()
})

test('a flavor whose alias Nova’s API does not know is none: every server of it is refused', () => {
  const input = k40cCloud({ api: K40C_CONF })
  const asking = (alias: string) => {
    const flavor = buildFlavor({ ...GPU_FLAVOR, extraSpecs: { 'pci_passthrough:alias': alias } })
    return offerTo(withFacts(input, { flavors: readPart([flavor]) }), 'p1', flavor.name)
  }
  expect(asking('gpu:1')).not.toBeNull()
  expect(asking('forgotten:1')).toBeNull()
})

test('without the aggregates, availability is unknown', () => {
  const unread = withFacts(CLOUD, { aggregates: silentPart() })
  expect(offerTo(unread, 'p1', 'vgpu-A40')?.availability).toBe('unknown')
})

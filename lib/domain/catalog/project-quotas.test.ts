import { expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { ownLimits } from '@/lib/domain/limits/effective-limit'
import { limitTable } from '@/lib/domain/limits/limit-view'
import { t4Cloud, withFacts } from '@/lib/domain/testing/break-cloud'
import { readPart } from '@/lib/domain/testing/build-cloud'
import { GPU_FLAVOR, K40C_CONF, k40cCloud } from '@/lib/domain/testing/k40c-cloud'
import { WHOLE_CARD } from './card-share'
import { type FlavorOffer, flavorOffer, offerOfPart } from './flavor-offer'
import { fleetParts } from './fleet-parts'
import type { OwnServer } from './own-servers'
import { gpuKinds, projectQuotas, uncountedGpus } from './project-quotas'

type Input = ReturnType<typeof t4Cloud>

const offersIn = (input: Input) => {
  const fleet = joinFleet(input)
  const offers = (input.facts.flavors.value ?? []).flatMap((flavor) => {
    const own = fleetParts(fleet).map((part) => offerOfPart(fleet, part, flavor))
    const offer = flavorOffer(fleet, flavor, { own, others: [] })
    return offer === null ? [] : [{ flavor, offer }]
  })
  return { fleet, offers }
}

const serverOf = (uuid: string, gpus: OwnServer['gpus'], flavorName = GPU_FLAVOR.name): OwnServer => ({
  ...{ uuid, name: uuid, status: 'ACTIVE', flavorName, createdAt: null, license: null, guestDriver: null },
  gpus,
})

test('counts the GPUs that own servers hold, next to the use that Placement counts', () => {
  const input = t4Cloud()
  const { fleet, offers } = offersIn(input)
  const view = limitTable(fleet)
  const [holder] = [...fleet.servers.values()].filter(({ uuid }) => fleet.allocationsByConsumer.has(uuid))
  if (view === null || holder === undefined) throw new Error('the cloud has limits and a server with a GPU')
  const quotas = projectQuotas(fleet, {
    ...{ view, own: ownLimits(view), projectId: holder.projectId, offers },
    servers: [serverOf(holder.uuid, null)],
    use: { usages: { VGPU: 3, VCPU: 8, MEMORY_MB: 2048 }, because: null },
  })
  expect(quotas.map(({ resourceName, kind, used }) => [resourceName, kind, used])).toEqual([
    ['class:VGPU', 'vgpu', 3],
    ['class:VCPU', 'vcpu', 8],
    ['class:MEMORY_MB', 'memory', 2048],
  ])
  expect(quotas.map(({ count }) => count)).toEqual([
    { servers: 1, held: 1, moving: { amount: 0, servers: [] } },
    null,
    null,
  ])
})

test('an unread use is unknown', () => {
  const { fleet, offers } = offersIn(t4Cloud())
  const view = limitTable(fleet)
  if (view === null) throw new Error('the cloud has limits')
  const inputs = { view, own: ownLimits(view), projectId: 'p1', offers, servers: [] }
  const quotas = projectQuotas(fleet, { ...inputs, use: { usages: null, because: 'no answer' } })
  expect(quotas.every(({ used }) => used === null)).toBe(true)
})

const K40C = { api: K40C_CONF, flavors: [GPU_FLAVOR] }

test('a whole card in Placement has a class of passthrough GPUs', () => {
  const novaConf = `${K40C_CONF}\n[pci]\nreport_in_placement = True`
  const { fleet, offers } = offersIn(k40cCloud({ ...K40C, novaConf }))
  expect(gpuKinds(fleet, offers)).toEqual([['CUSTOM_PCI_10DE_1024', 'passthrough']])
  expect(uncountedGpus(fleet, { offers, servers: [] })).toBeNull()
})

test('whole cards that Placement does not count are shown with what own servers hold', () => {
  const { fleet, offers } = offersIn(k40cCloud(K40C))
  const held = serverOf('a', [{ model: 'Tesla K40c', typeName: null, count: 2 }])
  expect(gpuKinds(fleet, offers)).toEqual([])
  expect(uncountedGpus(fleet, { offers, servers: [held] })).toEqual({ used: 2 })
  expect(uncountedGpus(fleet, { offers, servers: [held, serverOf('b', null)] })).toEqual({ used: null })
  expect(uncountedGpus(fleet, { offers, servers: [serverOf('c', null, 'other')] })).toEqual({ used: 0 })
})

test('a class whose flavors give vGPUs as well is one of vGPUs', () => {
  const { fleet, offers } = offersIn(withFacts(t4Cloud(), { servers: readPart([]) }))
  const whole = offers.map(({ flavor, offer }): { flavor: typeof flavor; offer: FlavorOffer } => ({
    flavor,
    offer: { ...offer, cards: offer.cards.map((card) => ({ ...card, typeName: null, ...WHOLE_CARD })) },
  }))
  expect(gpuKinds(fleet, whole)).toEqual([['VGPU', 'passthrough']])
  for (const both of [
    [...whole, ...offers],
    [...offers, ...whole],
  ])
    expect(gpuKinds(fleet, both)).toEqual([['VGPU', 'vgpu']])
})

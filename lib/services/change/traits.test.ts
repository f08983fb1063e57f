import { expect, test, vi } from 'vitest'
import { changePlanSchema } from '@/lib/schemas/api/change'
import type { Flavor } from '@/simulator/openstack/nova/nova-state'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { previewChange } from './preview-change'
import { createChangeWorld } from './testing/change-world'
import { previewOfKind } from './testing/preview-of-kind'
import { TEST_FLAVOR } from './testing/test-flavor'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** VFs of vendor VFIO, which Nova reports as PCI in Placement; and a host with mdevs. */
const PCI_HOST = 'cmp-r6-01'
const world = createChangeWorld({
  fleetOf: (fleet) => [
    ...fleet.slice(0, 2).map((host) => ({ ...host, story: { kind: 'still' as const } })),
    ...fleet.filter(({ spec }) => spec.name === PCI_HOST),
  ],
})

const address = () => world.living(PCI_HOST).spec().gpus[0]?.address ?? ''

test('PCI in Placement gets no trait by the API, and the plan has its line of device_spec', async () => {
  const before = await world.snapshot()
  const input = {
    cloud: world.cloud().name,
    kind: 'traits' as const,
    gpus: [{ host: PCI_HOST, address: address() }],
    rule: 'CUSTOM_NVIDIA_{type}',
    isManaged: true,
  }
  const { steps, preview } = changePlanSchema.parse(await previewChange(world.ctx(), input))
  expect(steps).toEqual([])
  expect(preview.refusals[0]?.reason).toContain('[pci] device_spec')
  const [spec] = previewOfKind('traits', { preview }).traitTexts.deviceSpecs ?? []
  expect(spec).toMatchObject({
    host: PCI_HOST,
    address: address(),
    trait: 'CUSTOM_NVIDIA_L40S_8Q',
    problem: null,
  })
  expect(spec?.providers).toEqual(
    [`${PCI_HOST}.example.org_${address()}`].map(() => expect.stringContaining(address())),
  )
  expect(spec?.lines.length).toBeGreaterThan(0)
  for (const { before: was, after } of spec?.lines ?? []) {
    const [old, next] = [was, after].map((line) => JSON.parse(line.replace(/^device_spec = /, '')))
    const traits = [...(old.traits?.split(',') ?? []), 'CUSTOM_NVIDIA_L40S_8Q']
    expect(next).toEqual({ ...old, traits: [...new Set(traits)].toSorted().join(',') })
  }
  await expect(createChange(world.ctx(), input)).rejects.toMatchObject({ code: 'precondition' })
  expect(await world.snapshot()).toEqual(before)
})

test('with the line in nova.conf Nova itself adds the trait, and removes others', async () => {
  const { preview } = await previewChange(world.ctx(), {
    cloud: world.cloud().name,
    kind: 'traits',
    gpus: [{ host: PCI_HOST, address: address() }],
    rule: 'CUSTOM_NVIDIA_{type}',
  })
  const lines = new Map(
    (previewOfKind('traits', { preview }).traitTexts.deviceSpecs[0]?.lines ?? []).map(({ before, after }) => [
      before,
      after,
    ]),
  )
  const living = world.living(PCI_HOST)
  const spec = living.spec()
  const pci = (spec.nova.sections.pci ?? []).map((line) => lines.get(line) ?? line)
  living.become({ ...spec, nova: { ...spec.nova, sections: { ...spec.nova.sections, pci } } })
  world.openstack().controls.refresh({ host: PCI_HOST })
  const [provider] = [...world.openstack().cloud.placement.providers.values()].filter(({ name }) =>
    name.endsWith(`_${address()}`),
  )
  expect([...(provider?.traits ?? [])]).toContain('CUSTOM_NVIDIA_L40S_8Q')
  provider?.traits.add('CUSTOM_BY_API')
  world.openstack().controls.refresh({ host: PCI_HOST })
  expect([...(provider?.traits ?? [])]).not.toContain('CUSTOM_BY_API')
})

test('in a manual change the console manages a trait once a person has added it', async () => {
  const [target] = await world.taggable(1)
  if (target === undefined) throw new Error('nothing can be tagged')
  const change = await createChange(world.ctx(), {
    cloud: world.cloud().name,
    kind: 'traits',
    gpus: [target],
    rule: 'CUSTOM_HAND_{type}',
    isManaged: true,
  })
  await actOnChange(world.ctx(), {
    id: change.id,
    body: { action: 'start', version: change.version, isByHand: true },
  })
  await world.run(change.id)
  expect((await world.snapshot()).managed).toEqual([])
  const trait = change.steps[0]?.id.replace('create-trait/', '') ?? ''
  const name = change.steps[1]?.id.replace('set-traits/', '') ?? ''
  const placement = world.placement()
  const [provider] = await placement.listProviders({ name })
  const { generation, traits } = await placement.getTraits(provider?.uuid ?? '')
  await placement.createTrait(trait)
  await placement.putTraits(provider?.uuid ?? '', { generation, traits: [...traits, trait] })
  await world.run(change.id)
  expect((await getChange(world.ctx(), { id: change.id })).state).toBe('done')
  expect((await world.snapshot()).managed).toEqual([`${trait} of ${name}`])
})

test('the preview names the pGPUs that a flavor matches then, and on how many Placement has free capacity', async () => {
  const input = {
    cloud: world.cloud().name,
    kind: 'traits' as const,
    gpus: await world.taggable(1000),
    rule: 'CUSTOM_REACH_{id}',
  }
  const previewOf = async (flavor: Partial<Flavor> & { name: string }) => {
    world.openstack().cloud.nova.flavors.push({ ...TEST_FLAVOR, id: flavor.name, ...flavor })
    await world.readAgain()
    const { flavors } = (await previewChange(world.ctx(), input)).preview
    return flavors.find(({ name }) => name === flavor.name)
  }
  const { steps } = await previewChange(world.ctx(), input)
  const trait = steps[0]?.id.replace('create-trait/', '') ?? ''
  const extraSpecs = { 'resources:VGPU': '1', [`trait:${trait}`]: 'required' }
  const preview = await previewOf({ name: 'reaches', extraSpecs })
  expect(preview).toMatchObject({ before: 0, loses: [], freeCapacity: { because: null } })
  expect(preview?.gains?.length).toBe(preview?.after)
  expect(preview?.freeCapacity?.pgpus ?? 0).toBeGreaterThan(0)
  expect(preview?.freeCapacity?.pgpus ?? 0).toBeLessThanOrEqual(preview?.after ?? 0)

  const tooLarge = await previewOf({ name: 'too large', extraSpecs, memoryMib: 99_000_000 })
  expect(tooLarge).toMatchObject({
    before: 0,
    after: preview?.after,
    freeCapacity: { pgpus: 0, because: null },
  })
})

test('GPUs of a filter are planned as if they were named', async () => {
  const rest = { cloud: world.cloud().name, kind: 'traits', rule: 'CUSTOM_NVIDIA_{type}' } as const
  const filter = { q: PCI_HOST }
  const ofFilter = await previewChange(world.ctx(), { ...rest, gpus: { filter } })
  const gpus = world
    .living(PCI_HOST)
    .spec()
    .gpus.map((gpu) => ({ host: PCI_HOST, address: gpu.address }))
  const named = await previewChange(world.ctx(), { ...rest, gpus })
  expect(new Set(ofFilter.preview.refusals)).toEqual(new Set(named.preview.refusals))
  expect(ofFilter.preview.refusals.length).toBeGreaterThan(0)
  expect(ofFilter.steps).toEqual(named.steps)
  const none = previewChange(world.ctx(), { ...rest, gpus: { filter: { q: 'no such host' } } })
  await expect(none).rejects.toMatchObject({ code: 'validation', message: expect.stringMatching(/filter/) })
})

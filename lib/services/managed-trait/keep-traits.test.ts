import { afterEach, expect, test, vi } from 'vitest'
import { OpenStackError } from '@/lib/openstack/openstack-error'
import { getFinding } from '@/lib/services/finding/get-finding'

import { makeMdev, removeMdev } from '@/simulator/host/change-vgpus'
import { createKeepWorld } from './testing/keep-world'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const world = createKeepWorld()
const TRAIT = 'CUSTOM_NVIDIA_A40_4Q'

afterEach(() => {
  world.hooks.around = null
  world.openstack().controls.heal()
})

const refusal = (status: number) =>
  new OpenStackError(`Placement answered ${status} to PUT traits.`, {
    kind: 'http',
    service: 'placement',
    cloud: 'test',
    status,
  })

const actions = async () => (await world.audit()).map(({ actor, action }) => `${actor} ${action}`)

/** Creates vGPUs until no VF of the card takes another; resolves to their uuids. */
const fill = (): string[] => {
  const living = world.living()
  const [gpu] = living.spec().gpus
  const slots = gpu?.slicing?.state.slots ?? []
  return slots.flatMap((slot, point) => {
    const uuid = `00000000-0000-4000-8000-${String(point).padStart(12, '0')}`
    return living.attempt(makeMdev(living.spec(), { slot, typeId: 'nvidia-560', uuid })) ? [uuid] : []
  })
}

test('a provider that vanished with a full card gets its managed trait back, and keeps traits of others', async () => {
  await world.keep()
  const names = world.providers().map(({ name }) => name)
  const made = fill()
  expect(made.length).toBeGreaterThan(0)
  world.openstack().controls.refresh({ host: world.HOST })
  const full = world.providers().map(({ name }) => name)
  expect(full.length).toBeLessThan(names.length)
  await world.round()
  for (const uuid of made) world.living().attempt(removeMdev(world.living().spec(), uuid))
  world.openstack().controls.refresh({ host: world.HOST })
  const fresh = world.providers().filter(({ name }) => !full.includes(name))
  expect(fresh.length).toBe(names.length - full.length)
  expect(fresh.every(({ traits }) => traits.size === 0)).toBe(true)
  const [foreign] = fresh
  world.openstack().cloud.placement.customTraits.add('CUSTOM_RACK_7')
  foreign?.traits.add('CUSTOM_RACK_7')

  await world.round()
  // The host has not reported since: it could have another type by now.
  expect(fresh.some(({ traits }) => traits.has(TRAIT))).toBe(false)
  await world.round()
  expect(fresh.every(({ traits }) => traits.has(TRAIT))).toBe(true)
  expect([...(foreign?.traits ?? [])].toSorted()).toEqual([TRAIT, 'CUSTOM_RACK_7'])
  const trail = await actions()
  expect(trail.filter((entry) => entry === 'system kept-trait.begin')).toHaveLength(fresh.length)
  expect(trail.filter((entry) => entry === 'system kept-trait.put-back')).toHaveLength(fresh.length)
  expect((await world.managed())[0]).toMatchObject({
    trait: TRAIT,
    putBackCount: fresh.length,
    problem: null,
  })
  foreign?.traits.delete('CUSTOM_RACK_7')
  await world.round()
  expect(await world.findings('trait-lost')).toEqual([])
  expect(await actions()).toHaveLength(trail.length)
})

test('an unmanaged loss is a finding, and a plan for it restores exactly what was lost', async () => {
  world.openstack().cloud.placement.customTraits.add('CUSTOM_RACK_7')
  for (const { traits } of world.providers()) traits.add('CUSTOM_RACK_7')
  await world.round()
  const { name } = world.freeProvider()
  const had = [...world.named(name).traits].toSorted()
  world.recreate(name)
  await world.round()
  await world.round()
  expect([...world.named(name).traits]).toEqual([])
  expect(await world.audit()).toEqual([])
  const [lost] = await world.findings('trait-lost')
  expect(lost?.sentence).toContain(TRAIT)
  const planned = await world.plan({ rule: null, isManaged: false })
  expect(planned.title).toContain('on 1 pGPU')
  expect((await world.run(planned, 'start')).state).toBe('done')
  expect([...world.named(name).traits].toSorted()).toEqual(had)
  await world.round()
  expect(await world.findings('trait-lost')).toEqual([])
})

test('a trait that a person removed is not restored, and is a finding until it is restored or no longer managed', async () => {
  await world.keep()
  const { name } = world.freeProvider()
  world.named(name).traits.delete(TRAIT)
  for (let count = 0; count < 3; count++) await world.round()
  expect(world.named(name).traits.has(TRAIT)).toBe(false)
  expect(await world.audit()).toEqual([])
  const [found] = await world.findings('kept-trait-taken-off')
  const { sentence } = await getFinding(world.at(), { id: found?.id ?? 0 })
  expect(sentence).toBe(`managed trait ${TRAIT} was removed from its provider`)
  expect(await world.findings('trait-lost')).toEqual([])
  await world.run(await world.plan({ rule: null }), 'start')
  await world.round()
  expect(world.named(name).traits.has(TRAIT)).toBe(true)
  expect(await world.findings('kept-trait-taken-off')).toEqual([])
})

test('taking the change back ends the keeping', async () => {
  const done = await world.keep()
  expect((await world.run(done, 'roll-back')).state).toBe('undone')
  expect(await world.managed()).toEqual([])
  const { name } = world.freeProvider()
  world.recreate(name)
  await world.round()
  await world.round()
  expect(world.named(name).traits.has(TRAIT)).toBe(false)
})

test('a write of another client between reading and writing is not lost', async () => {
  await world.keep()
  const { name } = world.freeProvider()
  world.recreate(name)
  let writes = 0
  world.hooks.around = (client) => ({
    putTraits: async (uuid, input) => {
      if (writes++ === 0) {
        await client.createTrait('CUSTOM_FOREIGN')
        const { generation, traits } = await client.getTraits(uuid)
        await client.putTraits(uuid, { generation, traits: [...traits, 'CUSTOM_FOREIGN'] })
      }
      return client.putTraits(uuid, input)
    },
  })
  await world.round()
  await world.round()
  expect(writes).toBe(2)
  expect([...world.named(name).traits].toSorted()).toEqual(['CUSTOM_FOREIGN', TRAIT])
})

test('a provider that is recreated once more in the meantime gets nothing meant for the one before', async () => {
  await world.keep()
  const { name } = world.freeProvider()
  world.recreate(name)
  let reads = 0
  world.hooks.around = (client) => ({
    getTraits: async (uuid) => {
      const answer = await client.getTraits(uuid)
      if (reads++ === 0) world.recreate(name)
      return answer
    },
  })
  await world.round()
  await world.round()
  expect(reads).toBe(1)
  expect(world.named(name).traits.has(TRAIT)).toBe(false)
  expect(await actions()).toEqual(['system kept-trait.begin'])
  expect((await world.managed())[0]?.problem).toBeNull()
  await world.round()
  await world.round()
  expect(world.named(name).traits.has(TRAIT)).toBe(true)
  expect((await actions()).filter((entry) => entry.endsWith('begin'))).toHaveLength(2)
})

test('while one console writes another leaves it alone', async () => {
  await world.keep()
  const { name } = world.freeProvider()
  world.recreate(name)
  const consoles = [world.newReading(), world.newReading()] as const
  for (const reading of consoles) await world.round(reading)
  let writes = 0
  world.hooks.around = (client) => ({
    putTraits: async (uuid, input) => {
      if (writes++ === 0) await consoles[1].readRound()
      return client.putTraits(uuid, input)
    },
  })
  await world.round(consoles[0])
  expect(writes).toBe(1)
  expect(world.named(name).traits.has(TRAIT)).toBe(true)
  expect(await actions()).toEqual(['system kept-trait.begin', 'system kept-trait.put-back'])
})

test.each(['before the call', 'after it'])(
  'a console that ends %s is made good by the next',
  async (point) => {
    await world.keep()
    const { name } = world.freeProvider()
    world.recreate(name)
    world.hooks.around = (client) => ({
      putTraits: async (uuid, input) => {
        if (point === 'after it') await client.putTraits(uuid, input)
        throw new Error('died')
      },
    })
    await world.round()
    await expect(world.round()).rejects.toThrow('died')
    expect(world.named(name).traits.has(TRAIT)).toBe(point === 'after it')
    world.hooks.around = null
    const next = world.newReading()
    for (let count = 0; count < 4; count++) await world.round(next)
    expect(world.named(name).traits.has(TRAIT)).toBe(true)
    world.named(name).traits.delete(TRAIT)
    for (let count = 0; count < 3; count++) await world.round(next)
    expect(world.named(name).traits.has(TRAIT)).toBe(false)
  },
)

test('a service account without write permission is reported once, and the finding offers a manual change', async () => {
  await world.keep()
  const { name } = world.freeProvider()
  world.recreate(name)
  world.hooks.around = () => ({
    putTraits: async () => {
      throw refusal(403)
    },
  })
  for (let count = 0; count < 6; count++) await world.round()
  expect(world.named(name).traits.has(TRAIT)).toBe(false)
  expect(await actions()).toEqual(['system kept-trait.begin', 'system kept-trait.fail'])
  expect((await world.managed())[0]?.problem).toContain('answered 403')
  const [lost] = await world.findings('trait-lost')
  expect((await getFinding(world.at(), { id: lost?.id ?? 0 })).nextStep).toContain('answered 403')
  world.hooks.around = null
  for (let count = 0; count < 3; count++) await world.round()
  expect(world.named(name).traits.has(TRAIT)).toBe(true)
  expect((await world.managed())[0]?.problem).toBeNull()
})

test('while a change holds the pGPU nothing is restored', async () => {
  await world.keep()
  const { name } = world.freeProvider()
  const { prisma } = world.database()
  const cloud = await prisma.cloud.findUniqueOrThrow({ where: { name: world.cloudName() } })
  const change = await world.plan({ rule: 'CUSTOM_OTHER_{type}' })
  const claim = { cloudId: cloud.id, host: world.HOST, address: world.address(), changeId: change.id }
  await prisma.changeClaim.create({ data: claim })
  world.recreate(name)
  for (let count = 0; count < 3; count++) await world.round()
  expect(world.named(name).traits.has(TRAIT)).toBe(false)
  await prisma.changeClaim.deleteMany({ where: { changeId: change.id } })
  await world.round()
  expect(world.named(name).traits.has(TRAIT)).toBe(true)
})

test('a provider that is new because nova.conf gives another type does not get the old type’s trait', async () => {
  await world.keep()
  const { name } = world.freeProvider()
  world.recreate(name)
  await world.round()
  const spec = world.living().spec()
  const [first, second] = spec.nova.types
  if (first === undefined || second === undefined) throw new Error('the host has two types')
  const types = [
    { ...first, addresses: second.addresses },
    { ...second, addresses: first.addresses },
  ]
  world.living().become({ ...spec, nova: { ...spec.nova, types } })
  for (let count = 0; count < 3; count++) await world.round()
  expect(world.named(name).traits.has(TRAIT)).toBe(false)
  expect(await world.audit()).toEqual([])
  world.living().become(spec)
  await world.round()
  await world.round()
  expect(world.named(name).traits.has(TRAIT)).toBe(true)
})

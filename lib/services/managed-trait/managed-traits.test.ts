import { expect, test, vi } from 'vitest'
import { managedTraitListSchema } from '@/lib/schemas/api/managed-trait'
import { READER, TENANT } from '@/lib/services/testing/service-world'
import { endKeeping } from './end-keeping'
import { listManagedTraits } from './list-managed-traits'
import { createKeepWorld } from './testing/keep-world'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const world = createKeepWorld()
const TRAIT = 'CUSTOM_NVIDIA_A40_4Q'
const name = () => ({ cloud: world.cloudName(), host: world.HOST, address: world.address(), trait: TRAIT })

test('managed traits are listed by pGPU, with their author', async () => {
  const change = await world.keep()
  const answer = managedTraitListSchema.parse(
    await listManagedTraits(world.at(READER), { cloud: world.cloudName() }),
  )
  expect(answer.traits).toMatchObject([
    {
      host: world.HOST,
      address: world.address(),
      trait: TRAIT,
      typeId: 'nvidia-560',
      deviceCount: 32,
      changeId: change.id,
      addedBy: 'user:local-admin',
      putBackCount: 0,
      problem: null,
    },
  ])
  const elsewhere = { cloud: world.cloudName(), host: world.HOST, address: '0000:ff:00.0' }
  expect((await listManagedTraits(world.at(), elsewhere)).traits).toEqual([])
  await expect(listManagedTraits(world.at(TENANT), elsewhere)).rejects.toMatchObject({ code: 'forbidden' })
})

test('an admin ends it, which is audited; a reader does not; the trait stays', async () => {
  await world.keep()
  await expect(endKeeping(world.at(READER), name())).rejects.toMatchObject({ code: 'forbidden' })
  await expect(endKeeping(world.at(), { ...name(), trait: 'CUSTOM_NONE' })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(endKeeping(world.at(), { ...name(), trait: 'HW_GPU' })).rejects.toMatchObject({
    code: 'validation',
  })
  expect(await world.managed()).toHaveLength(1)
  await endKeeping(world.at(), name())
  expect(await world.managed()).toEqual([])
  expect(await world.audit()).toMatchObject([
    { actor: 'user:local-admin', action: 'kept-trait.end', subject: expect.stringContaining(TRAIT) },
  ])
  const { name: provider } = world.freeProvider()
  expect(world.named(provider).traits.has(TRAIT)).toBe(true)
  world.recreate(provider)
  for (let count = 0; count < 3; count++) await world.round()
  expect(world.named(provider).traits.has(TRAIT)).toBe(false)
  expect(await world.findings('trait-lost')).toHaveLength(1)
})

test('of another cloud nothing is ended', async () => {
  await world.keep()
  const other = await world.newCloud()
  await expect(endKeeping(world.at(), { ...name(), cloud: other.name })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await world.managed()).toHaveLength(1)
})

import { expect, test } from 'vitest'
import { createServiceWorld, READER, TENANT } from '@/lib/services/testing/service-world'
import { findCloud } from './find-cloud'
import { listClouds } from './list-clouds'

const world = createServiceWorld()

test('without any cloud the list is empty and states how to connect one', async () => {
  expect(await listClouds(world.ctx())).toEqual({ clouds: [] })
  await expect(findCloud(world.ctx(), { cloud: null })).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('SLICEBOARD_CLOUD'),
  })
})

test('clouds come by name, and the first is meant when none is named', async () => {
  await world.database().prisma.cloud.createMany({
    data: [{ name: 'rome' }, { name: 'paris', region: 'RegionOne' }, { name: 'Zurich' }],
  })
  expect(await findCloud(world.ctx(), { cloud: null })).toMatchObject({ name: 'Zurich' })
  expect(await listClouds(world.ctx(READER))).toEqual({
    clouds: [
      { name: 'Zurich', region: null },
      { name: 'paris', region: 'RegionOne' },
      { name: 'rome', region: null },
    ],
  })
})

test('a tenant is refused', async () => {
  await expect(listClouds(world.ctx(TENANT))).rejects.toMatchObject({ code: 'forbidden' })
})

import { expect, test, vi } from 'vitest'
import { actOnChange } from '@/lib/services/change/act-on-change'
import { createChange } from '@/lib/services/change/create-change'
import { getChange } from '@/lib/services/change/get-change'
import { createChangeWorld } from '@/lib/services/change/testing/change-world'

vi.setConfig({ testTimeout: 300_000 })

const world = createChangeWorld()

/** What the console does to a PGlite whose disk is full. */
const refuseWrites = (isRefusing: boolean) =>
  world.ctx().database.query(`SET default_transaction_read_only = ${isRefusing ? 'on' : 'off'}`)

test('while the database takes no writes no step of a change is begun, and afterwards it continues', async () => {
  const { id, version } = await createChange(world.ctx(), {
    cloud: world.cloud().name,
    kind: 'traits',
    gpus: await world.taggable(1),
    rule: 'CUSTOM_FULL_{type}',
  })
  await actOnChange(world.ctx(), { id, body: { action: 'start', version } })
  const before = await world.snapshot()
  await refuseWrites(true)
  await expect(world.run(id)).rejects.toMatchObject({ code: '25006' })
  expect(await world.snapshot()).toEqual(before)
  await refuseWrites(false)
  // Control: the same change does write to the cloud where it may.
  await world.run(id)
  expect((await getChange(world.ctx(), { id })).state).toBe('done')
  expect(await world.snapshot()).not.toEqual(before)
})

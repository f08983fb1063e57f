import { expect, test, vi } from 'vitest'
import { NOW, secondsAgo } from '@/lib/services/testing/service-world'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { createChangeWorld } from './testing/change-world'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const world = createChangeWorld()
const SILENT_AFTER = 120

const hear = (at: Date) => world.ctx().database.query('UPDATE host SET seen_at = $1', [at])

test('a change waits while most hosts are silent, and continues when they report again', async () => {
  const { id, version } = await createChange(world.ctx(), {
    cloud: world.cloud().name,
    kind: 'traits',
    gpus: await world.taggable(1),
    rule: 'CUSTOM_BLIND_{type}',
  })
  await actOnChange(world.ctx(), { id, body: { action: 'start', version } })
  const before = await world.snapshot()
  await hear(secondsAgo(600))
  expect(await world.run(id, { silentAfterSeconds: SILENT_AFTER })).toBe('resting')
  expect(await world.snapshot()).toEqual(before)
  const waiting = await getChange(world.ctx(), { id })
  expect(waiting.state).toBe('running')
  expect(waiting.steps[0]).toMatchObject({
    note: `Most hosts are silent: they stopped reporting at the same time, the last at ${secondsAgo(600).toISOString()}.`,
  })
  await hear(NOW)
  expect(await world.run(id, { silentAfterSeconds: SILENT_AFTER })).toBe('over')
  expect((await getChange(world.ctx(), { id })).state).toBe('done')
})

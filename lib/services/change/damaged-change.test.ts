import { expect, test, vi } from 'vitest'
import { changeDetailSchema } from '@/lib/schemas/api/change'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { getRunbook } from './get-runbook'
import { listChanges } from './list-changes'
import { skipStep } from './skip-step'
import { createChangeWorld } from './testing/change-world'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 })

const world = createChangeWorld({ hostCount: 2 })

const plan = async () =>
  createChange(world.ctx(), {
    cloud: world.cloud().name,
    kind: 'traits',
    gpus: await world.taggable(1),
    rule: 'CUSTOM_DAMAGED_{type}',
  })

const damage = (sql: string, id: number) => world.ctx().database.query(sql, [id])
const again = async (id: number) => changeDetailSchema.parse(await getChange(world.ctx(), { id }))
const listed = async (id: number) =>
  (await listChanges(world.ctx(), { cloud: world.cloud().name })).changes.find((change) => change.id === id)

const act = async (id: number, action: 'start' | 'go-on' | 'roll-back' | 'drop') =>
  actOnChange(world.ctx(), { id, body: { action, version: (await again(id)).version } })

test('a step that cannot be read stops the change with the reason, and once skipped the others run', async () => {
  const { id } = await plan()
  await damage(`UPDATE change_step SET body = '{"version": 3}' WHERE change_id = $1 AND position = 0`, id)
  expect((await again(id)).steps[0]).toMatchObject({
    title: 'Step 1 cannot be read',
    sees: 'The step is unknown: a newer version of the console stored it.',
  })
  expect((await getRunbook(world.ctx(), { id, format: 'md' })).text).toContain('Step 1 cannot be read')
  await act(id, 'start')
  await world.run(id)
  const stopped = await again(id)
  expect(stopped).toMatchObject({
    state: 'stopped',
    stopReason:
      'Step 1 cannot be read: a newer version of the console stored it. Skip the step and continue, or plan the change again.',
    steps: [{ state: 'blocked', isUndo: false }, { state: 'pending' }],
  })
  expect(await listed(id)).toMatchObject({
    state: 'stopped',
    pgpuCount: 1,
    trouble: 'Step 1 cannot be read: a newer version of the console stored it.',
  })
  const { version } = stopped
  await skipStep(world.ctx(), { id, position: 0, body: { version, reason: 'the trait exists' } })
  await act(id, 'go-on')
  await world.run(id)
  expect((await again(id)).steps.map(({ state }) => state).slice(0, 1)).toEqual(['skipped'])
  await act(id, 'roll-back')
  await world.run(id)
  expect((await again(id)).state).toBe('undone')
})

test('a record of a step that cannot be read stops the roll back and is kept', async () => {
  const { id } = await plan()
  await act(id, 'start')
  await world.run(id)
  expect((await again(id)).state).toBe('done')
  await damage(`UPDATE change_step SET intent = '["x"]' WHERE change_id = $1 AND position = 1`, id)
  await act(id, 'roll-back')
  await world.run(id)
  const { state, stopReason, version } = await again(id)
  expect({ state, stopReason }).toEqual({
    state: 'stopped',
    stopReason:
      'Step 2 cannot be read: its row in the database is damaged. Skip the step to keep its result, and roll back again.',
  })
  expect(
    await damage(`SELECT 1 FROM change_step WHERE change_id = $1 AND intent = '["x"]'`, id),
  ).toHaveLength(1)
  await skipStep(world.ctx(), { id, position: 1, body: { version, reason: 'the trait stays' } })
  await act(id, 'roll-back')
  await world.run(id)
  expect((await again(id)).state).toBe('undone')
})

test('a record of a step in another form stops the roll back with the reason', async () => {
  const { id } = await plan()
  await act(id, 'start')
  await world.run(id)
  await damage(
    `UPDATE change_step SET intent = '{"version": 1, "added": 7}' WHERE change_id = $1 AND position = 1`,
    id,
  )
  await act(id, 'roll-back')
  await world.run(id)
  expect(await again(id)).toMatchObject({
    state: 'stopped',
    stopReason:
      'The record of this step cannot be read: its row in the database is damaged at added. Skip the step, or plan the change again.',
    steps: [{}, { state: 'failed' }],
  })
  await act(id, 'drop')
})

test('a change with a preview that cannot be read is shown and listed, and cannot be started', async () => {
  const { id } = await plan()
  await damage(`UPDATE change SET preview = '{"targets": "none"}' WHERE id = $1`, id)
  expect(await again(id)).toMatchObject({
    state: 'planned',
    preview: {
      kind: 'unreadable',
      because: 'its row in the database is damaged at targets',
      targets: [],
    },
  })
  expect(await listed(id)).toMatchObject({ id, pgpuCount: null })
  await expect(act(id, 'start')).rejects.toMatchObject({
    code: 'precondition',
    message: expect.stringMatching(
      /cannot be read: its row in the database is damaged at targets\. Plan the change again\.$/,
    ),
  })
})

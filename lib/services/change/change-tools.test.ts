import { expect, test } from 'vitest'
import { createTestContext } from '@/lib/server/testing/test-database'
import { NOW } from '@/lib/services/testing/service-world'
import type { ChangeRow } from './change-rows'
import { createChangeTools } from './change-tools'
import { createChangeWorld } from './testing/change-world'

const world = createChangeWorld({ hostCount: 2 })

const rowOf = (over: Partial<ChangeRow>): ChangeRow => ({
  id: 1,
  cloudId: world.cloud().id,
  cloud: world.cloud().name,
  kind: 'traits',
  title: 'x',
  state: 'running',
  isByHand: false,
  version: 1,
  lastAction: 'start',
  lastBy: 'user:anna@Default',
  lastAt: new Date(0),
  madeBy: 'user:anna@Default',
  madeAt: new Date(0),
  startedAt: null,
  endedAt: null,
  sessionId: null,
  runBy: 'user:anna@Default',
  stopReason: null,
  needsApproval: false,
  approvedBy: null,
  approvedAt: null,
  window: null,
  batchHosts: null,
  ...over,
})

test('a cloud that left clouds.yaml is named', async () => {
  const { database } = world.ctx()
  const toolsOf = createChangeTools({ ctx: createTestContext({ database }), accounts: [] })
  await expect(toolsOf(rowOf({}))).rejects.toThrow(/is no longer configured/)
})

test('what a device is comes from its host’s last report, and what is not known has a reason', async () => {
  const { typesOf } = await world.toolsOf()(rowOf({}))
  const [target] = await world.taggable(1)
  if (target === undefined) throw new Error('nothing can be tagged')
  const { types } = await typesOf(target.host, target.address)
  expect(types?.get(target.address)?.typeId).toMatch(/^nvidia-/)
  expect(await typesOf('nowhere', target.address)).toMatchObject({
    types: null,
    reason: expect.stringContaining('nowhere'),
  })
})

test('a silent host counts as unread, so that no step acts on its last report', async () => {
  const [target] = await world.taggable(1)
  if (target === undefined) throw new Error('nothing can be tagged')
  const toolsAt = (at: Date) =>
    createChangeTools({
      ctx: createTestContext({ database: world.ctx().database, now: () => at }),
      accounts: [world.account()],
    })(rowOf({}))
  const inTime = await toolsAt(NOW)
  expect(await inTime.hostNow(target.host)).toMatchObject({ reason: null })
  const late = await toolsAt(new Date(NOW.getTime() + 3_600_000))
  expect(await late.hostNow(target.host)).toEqual({
    joined: null,
    reason: expect.stringContaining(`the agent of ${target.host} has been silent since`),
  })
  expect(await late.typesOf(target.host, target.address)).toMatchObject({ types: null })
})

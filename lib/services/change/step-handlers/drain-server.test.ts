import { expect, test, vi } from 'vitest'
import { findChange, listSteps } from '../change-rows'
import { createChange } from '../create-change'
import { createChangeWorld } from '../testing/change-world'
import { drainServerHandler } from './drain-server'
import type { StepTools } from './step-work'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 })

const [BUSY, OTHER] = ['cmp-r2-05', 'cmp-r2-06']

const world = createChangeWorld({
  fleetOf: (fleet) =>
    fleet
      .filter(({ spec }) => [BUSY, OTHER].includes(spec.name))
      .map((host) => ({ ...host, story: { kind: 'still' } })),
})

const advance = (ms: number) => world.openstack().world.advance(ms)

/** A step that moves a server off the busy host, and its tools; the tests move different servers. */
const openDrain = async (way: 'live' | 'cold') => {
  const { database } = world.ctx()
  const { id } = await createChange(world.ctx(), {
    cloud: world.cloud().name,
    kind: 'type',
    gpus: { host: BUSY },
    typeId: 'nvidia-320',
    resourceClass: null,
    isFlavorLossAccepted: true,
  })
  const change = await findChange(database, id)
  const tasks = (await listSteps(database, id)).flatMap(({ body }) =>
    body.task.kind === 'drain-server' ? [{ ...body.task, way }] : [],
  )
  const task = tasks.at(way === 'cold' ? 0 : -1)
  if (change === undefined || task === undefined) throw new Error('no server is in the way')
  return { task, tools: await world.toolsOf()(change) }
}

test('a migration that is confirmed between two questions is not confirmed twice', async () => {
  const { task, tools } = await openDrain('cold')
  await drainServerHandler.act(tools, task, { way: 'cold' })
  expect(await drainServerHandler.check(tools, task)).toMatchObject({ state: 'waiting' })
  advance(5000)
  expect(await drainServerHandler.check(tools, task)).toMatchObject({ intent: { way: 'confirm' } })
  await drainServerHandler.act(tools, task, { way: 'confirm' })
  expect(await drainServerHandler.check(tools, task)).toMatchObject({ state: 'waiting' })
  const late: StepTools = {
    ...tools,
    nova: {
      ...tools.nova,
      listMigrations: (input) => {
        advance(5000)
        return tools.nova.listMigrations(input)
      },
    },
  }
  expect(await drainServerHandler.check(late, task)).toMatchObject({ state: 'waiting' })
  expect(await drainServerHandler.check(tools, task)).toMatchObject({ state: 'holds' })
})

test('a live migration has ended when its source has completed it and its allocation is deleted', async () => {
  const { task, tools } = await openDrain('live')
  await drainServerHandler.act(tools, task, { way: 'live' })
  const { nova, placement } = tools
  for (let round = 0; round < 8; round += 1) advance(5000)
  expect(await drainServerHandler.check(tools, task)).toMatchObject({ state: 'holds' })
  const { items } = await nova.listMigrations({ serverUuid: task.serverUuid })
  expect(items).toMatchObject([{ type: 'live-migration', status: 'completed', sourceHost: task.service }])
  const running: StepTools = {
    ...tools,
    nova: {
      ...nova,
      listMigrations: async (input) => {
        const list = await nova.listMigrations(input)
        return {
          ...list,
          items: list.items.map((one) => ({ ...one, status: 'running', isInProgress: true })),
        }
      },
    },
  }
  const held: StepTools = {
    ...tools,
    placement: { ...placement, getConsumer: () => placement.getConsumer(task.serverUuid) },
  }
  for (const late of [running, held])
    expect(await drainServerHandler.check(late, task)).toMatchObject({ state: 'waiting' })
})

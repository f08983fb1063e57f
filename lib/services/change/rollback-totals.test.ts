import { expect, test, vi } from 'vitest'
import { findChange, findStep } from './change-rows'
import { createChange } from './create-change'
import { closeServiceHandler } from './step-handlers/close-service'
import { createChangeWorld } from './testing/change-world'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const HOST = 'cmp-r2-05'
const world = createChangeWorld({
  fleetOf: (fleet) =>
    fleet
      .filter(({ spec }) => spec.name === HOST)
      .map((host) => ({ ...host, story: { kind: 'still' as const } })),
})

test('a rollback enables scheduling only when Placement has the totals of the old type again, and states which', async () => {
  const address = world.living(HOST).spec().gpus[0]?.address ?? ''
  const { id } = await createChange(world.ctx(), {
    cloud: world.cloud().name,
    kind: 'type',
    gpus: [{ host: HOST, address }],
    typeId: 'nvidia-320',
    resourceClass: null,
    isFlavorLossAccepted: true,
  })
  const { database } = world.ctx()
  const steps = await Promise.all([0, 1, 2].map((position) => findStep(database, { changeId: id, position })))
  const task = steps.map((step) => step?.body.task).find((one) => one?.kind === 'close-service')
  const change = await findChange(database, id)
  if (task?.kind !== 'close-service' || change === undefined) throw new Error('the plan disables no service')
  const tools = await world.toolsOf()(change)
  const intent = { reason: task.reason }
  await closeServiceHandler.act(tools, task, intent)

  const name = `${HOST}_pci_${address.replace(/[:.]/g, '_')}`
  const [provider] = await world.placement().listProviders({ name })
  const { generation, inventories } = await world.placement().getInventories(provider?.uuid ?? '')
  const { VGPU } = inventories
  if (provider === undefined || VGPU === undefined) throw new Error(`${name} has no VGPU`)
  await world.placement().putInventories(provider.uuid, {
    generation,
    inventories: { VGPU: { ...VGPU, total: 1 } },
  })
  expect(await closeServiceHandler.checkUndo(tools, task, intent)).toEqual({
    state: 'waiting',
    by: `Scheduling stays disabled until Placement reports VGPU ${VGPU.total} for ${name}: it still reports 1.`,
    wayOut: `nova-compute of ${HOST} updates Placement at its start and every minute. Expected within 2 minutes.`,
    withinSeconds: 120,
  })

  world.openstack().controls.refresh()
  expect(await closeServiceHandler.checkUndo(tools, task, intent)).toEqual({ state: 'ready', intent })
  await closeServiceHandler.undo(tools, task, intent)
  expect(await closeServiceHandler.checkUndo(tools, task, intent)).toMatchObject({ state: 'holds' })
})

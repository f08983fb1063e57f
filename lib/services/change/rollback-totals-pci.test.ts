import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test, vi } from 'vitest'
import type { NovaView } from '@/lib/domain/nova-config/nova-view'
import { COMMAND_NAMES } from '@/lib/schemas/agent/command'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import { findChange, findStep } from './change-rows'
import { createChange } from './create-change'
import type { StepTools } from './step-handlers/step-work'
import { whyTotalsWrong } from './step-handlers/totals-again'
import { createChangeWorld } from './testing/change-world'
import { stepHosts } from './testing/step-hosts'
import { createStepInputs, prepareStepCloud } from './testing/step-inputs'
import { TEST_FLAVOR } from './testing/test-flavor'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const world = createChangeWorld({ allow: COMMAND_NAMES, flavors: [TEST_FLAVOR], fleetOf: stepHosts })
const inputs = createStepInputs(world)

const planned = async (input: PlanChange) => {
  const { database } = world.ctx()
  const { id, steps } = await createChange(world.ctx(), input)
  const rows = await Promise.all(steps.map(({ position }) => findStep(database, { changeId: id, position })))
  const task = rows.map((row) => row?.body.task).find((one) => one?.kind === 'close-service')
  const change = await findChange(database, id)
  if (task?.kind !== 'close-service' || change === undefined) throw new Error('the plan disables no service')
  return { task, tools: await world.toolsOf()(change) }
}

/** Writes another total of every class of a provider. */
const setTotal = async (name: string, total: number): Promise<string> => {
  const [provider] = await world.placement().listProviders({ name })
  const { uuid = '' } = provider ?? {}
  const { generation, inventories } = await world.placement().getInventories(uuid)
  const changed = Object.fromEntries(
    Object.entries(inventories).map(([key, value]) => [key, { ...value, total }]),
  )
  await world.placement().putInventories(uuid, { generation, inventories: changed })
  return Object.keys(inventories).join()
}

beforeAll(async () => {
  prepareStepCloud(world)
  await world.readAgain()
})

test('a rollback checks the total of the VFs of vendor VFIO', async () => {
  const { task, tools } = await planned(await inputs['type-vfio']())
  const name = `${task.host}_${task.verify?.[0]?.address}`
  expect(await whyTotalsWrong(tools, task)).toBeNull()
  const resourceClass = await setTotal(name, 77)
  const look = await whyTotalsWrong(tools, task)
  expect(look).toMatchObject({ state: 'waiting', by: expect.stringMatching(/: it still reports 77\.$/) })
  expect(look).toMatchObject({ by: expect.stringContaining(`until Placement reports ${resourceClass} `) })
  world.openstack().controls.refresh()
  expect(await whyTotalsWrong(tools, task)).toBeNull()
})

/** The tools with another nova.conf of the host. */
const withNova = async (
  tools: StepTools,
  host: string,
  change: (nova: NovaView) => NovaView,
): Promise<StepTools> => {
  const now = await tools.hostNow(host)
  if (now.joined === null || now.joined.nova === null) throw new Error(`${host} is not joined`)
  const { fleet, joined } = now
  const changed = { ...joined, nova: change(now.joined.nova) }
  return { ...tools, hostNow: async () => ({ reason: null, fleet, joined: changed }) }
}

test('a rollback checks the total of a card that returns from passthrough', async () => {
  const { task, tools } = await planned(await inputs['passthrough (back)']())
  const reporting = await withNova(tools, task.host, (nova) => ({ ...nova, isPciReported: true }))
  expect(await whyTotalsWrong(reporting, task)).toMatchObject({
    state: 'waiting',
    by: expect.stringMatching(
      new RegExp(
        `until Placement reports CUSTOM_\\w+ 1 for ${task.host}_${task.cards?.[0]?.address}: it still reports 0`,
      ),
    ),
  })
})

test('a rollback keeps scheduling disabled while the agent of the host is silent', async () => {
  const { task, tools } = await planned(await inputs.type())
  const silent: StepTools = {
    ...tools,
    hostNow: async () => ({ joined: null, reason: 'the agent of cmp-r2-05 is silent' }),
  }
  expect(await whyTotalsWrong(silent, task)).toMatchObject({
    state: 'blocked',
    by: 'Scheduling stays disabled: the agent of cmp-r2-05 is silent, so the totals in Placement cannot be checked.',
  })
})

test('a returning card whose total is right again does not keep scheduling disabled', async () => {
  const { task, tools } = await planned(await inputs['passthrough (back)']())
  const address = task.cards?.[0]?.address ?? ''
  const reporting = await withNova(tools, task.host, (nova) => ({ ...nova, isPciReported: true }))
  const look = await whyTotalsWrong(reporting, task)
  const [, resourceClass = ''] =
    /reports (CUSTOM_\w+) 1 for/.exec(look?.state === 'waiting' ? look.by : '') ?? []
  const [root] = await world.placement().listProviders({ name: task.host })
  const uuid = randomUUID()
  await world
    .placement()
    .createProvider({ uuid, name: `${task.host}_${address}`, parentUuid: root?.uuid ?? '' })
  world.openstack().cloud.placement.customClasses.add(resourceClass)
  const inventory = { total: 1, reserved: 0, allocationRatio: 1, minUnit: 1, maxUnit: 1, stepSize: 1 }
  await world.placement().putInventories(uuid, { generation: 0, inventories: { [resourceClass]: inventory } })
  expect(await whyTotalsWrong(reporting, task)).toBeNull()
})

test('a rollback states what it cannot read', async () => {
  const { task, tools } = await planned(await inputs.type())
  const now = await tools.hostNow(task.host)
  if (now.joined === null) throw new Error(`${task.host} is not joined`)
  const { fleet, joined } = now
  const withInventory = (part: Partial<typeof joined.host.inventory>): StepTools => {
    const inventory = { ...joined.host.inventory, ...part }
    const changed = { ...joined, host: { ...joined.host, inventory } }
    return { ...tools, hostNow: async () => ({ reason: null, fleet, joined: changed }) }
  }
  expect(await whyTotalsWrong(withInventory({ mdevs: null }), task)).toMatchObject({
    state: 'blocked',
    by: expect.stringContaining(`nova.conf or the mdevs of ${task.host} could not be read`),
  })
  expect(await whyTotalsWrong(withInventory({ gpus: [] }), task)).toMatchObject({
    state: 'blocked',
    by: expect.stringContaining(`the agent of ${task.host} no longer reports `),
  })
})

test('under max_instances each parent counts whole or not at all, and as many count as fit', async () => {
  const { task, tools } = await planned(await inputs.type())
  const { joined } = await tools.hostNow(task.host)
  const all = (joined?.pgpus ?? []).flatMap(({ providers }) => providers)
  const sum = all
    .flatMap(({ provider }) => Object.values(provider.inventories ?? {}))
    .reduce((total, one) => total + (one.total ?? one.capacity), 0)
  const bounded = (maxInstances: number): Promise<StepTools> =>
    withNova(tools, task.host, (nova) => ({
      ...nova,
      mdev: { ...nova.mdev, types: nova.mdev.types.map((type) => ({ ...type, maxInstances })) },
    }))
  expect(sum).toBeGreaterThan(1)
  expect(await whyTotalsWrong(await bounded(sum), task)).toBeNull()
  expect(await whyTotalsWrong(await bounded(1), task)).toMatchObject({
    state: 'waiting',
    by: expect.stringMatching(/exceed max_instances 1\.$/),
  })
  await setTotal(all[0]?.provider.name ?? '', 77)
  expect(await whyTotalsWrong(await bounded(sum), task)).toMatchObject({
    by: expect.stringMatching(/: Placement reports \w+ 77 for .*, expected \d+ or 0\.$/),
  })
})

import { rmSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import { COMMAND_NAMES } from '@/lib/schemas/agent/command'
import type { PlanReservation } from '@/lib/schemas/api/change-inputs'
import { listFindings } from '@/lib/services/finding/list-findings'
import { listGpuHeadroom } from '@/lib/services/gpu-headroom/list-gpu-headroom'
import { removeGuest } from '@/simulator/host/change-guests'
import { bootServer } from '@/simulator/openstack/compute/boot-server'
import type { Server } from '@/simulator/openstack/nova/nova-state'
import { dropConsumer } from '@/simulator/openstack/placement/change-allocations'
import { createHands } from '@/simulator/testing/hands/hands'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { getRunbook } from './get-runbook'
import { createChangeWorld } from './testing/change-world'
import { previewOfKind } from './testing/preview-of-kind'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 })

const HOST = 'cmp-r7-06'
/** Where ordinary servers can go. */
const OTHER = 'cmp-r2-05'

const folder = makeTemporaryDirectory('fence-by-hand-')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const still = (host: FleetHost): FleetHost => ({ ...host, story: { kind: 'still' } })

const createWorld = () =>
  createChangeWorld({
    allow: COMMAND_NAMES,
    fleetOf: (fleet) => fleet.filter(({ spec }) => [HOST, OTHER, 'cmp-r7-01'].includes(spec.name)).map(still),
  })

const world = createWorld()

const flavorNamed = (name: string) => {
  const found = world.openstack().cloud.nova.flavors.find((flavor) => flavor.name === name)
  if (found === undefined) throw new Error(`no flavor ${name}`)
  return found
}

/** A server of the second seed's flavor, created like a tenant's server. */
const bootOn = async (name: string, flavorName: string, host: string | null): Promise<Server> => {
  const { cloud, world: hosts } = world.openstack()
  const [project] = cloud.keystone.projects
  const server: Server = {
    uuid: cloud.newUuid(),
    name,
    projectId: project?.id ?? '',
    userId: '',
    status: 'BUILD',
    taskState: null,
    host: null,
    hypervisorHostname: null,
    instanceName: `instance-${name}`,
    flavor: { ...flavorNamed(flavorName) },
    fault: null,
    metadata: {},
    keyName: null,
    networkIds: [],
    securityGroups: [],
    isByApi: true,
    createdMs: cloud.now().getTime(),
    updatedMs: cloud.now().getTime(),
  }
  cloud.nova.servers.set(server.uuid, server)
  bootServer({ cloud, view: hosts.view }, server, host)
  hosts.advance(10_000)
  return server
}

const remove = ({ uuid, host }: Server): void => {
  const living = world.living(host ?? '')
  living.attempt(removeGuest(living.spec(), uuid))
  world.openstack().cloud.nova.servers.delete(uuid)
  dropConsumer(world.openstack().cloud.placement, uuid)
}

const currentHeadroom = async () => {
  const { hosts } = await listGpuHeadroom(world.ctx(), { cloud: world.cloud().name, host: HOST })
  return hosts[0]
}

const run = async (input: PlanReservation['input']): Promise<number> => {
  const planned = await createChange(world.ctx(), { cloud: world.cloud().name, kind: 'fence', input })
  expect(previewOfKind('fence', planned).fence.refusal ?? null).toBeNull()
  await actOnChange(world.ctx(), { id: planned.id, body: { action: 'start', version: planned.version } })
  for (let round = 0; round < 30; round++) {
    if ((await world.run(planned.id)) === 'over') break
    world.openstack().world.advance(10_000)
    world.openstack().controls.refresh()
    await world.readAgain()
  }
  const { state, steps } = await getChange(world.ctx(), { id: planned.id })
  const open = steps.filter(({ state: each }) => each !== 'done')
  expect({ state, open: open.map(({ id, note }) => `${id}: ${note}`) }).toEqual({ state: 'done', open: [] })
  await world.readAgain()
  return planned.id
}

const takeBack = async (id: number): Promise<void> => {
  const { version } = await getChange(world.ctx(), { id })
  await actOnChange(world.ctx(), { id, body: { action: 'roll-back', version } })
  for (let round = 0; round < 30; round++) {
    if ((await world.run(id)) === 'over') break
    world.openstack().world.advance(10_000)
    world.openstack().controls.refresh()
    await world.readAgain()
  }
  expect((await getChange(world.ctx(), { id })).state).toBe('undone')
}

const cpus = (): PlanReservation['input'] & { way: 'cpus' } => ({
  way: 'cpus',
  host: HOST,
  sharedSet: '0-14',
  dedicatedSet: '21-22',
  reservedMemoryMib: null,
  flavorIds: [flavorNamed('g1.gpu').id],
  isMoving: true,
})

test('the K40c of the second seed is found without headroom, and a GPU server does not start there', async () => {
  expect(await currentHeadroom()).toMatchObject({
    state: 'starved',
    freeCards: 1,
    since: expect.any(String),
    options: { pinSet: '0-22', reservedMemoryMib: 4096 },
  })
  const { findings } = await listFindings(world.ctx(), { cloud: world.cloud().name, host: HOST })
  expect(findings.filter(({ code }) => code === 'vgpus-stranded')).toMatchObject([
    { sentence: expect.stringContaining('1 free card cannot be scheduled'), state: 'open' },
  ])
  expect((await bootOn('before', 'g1.gpu', HOST)).status).toBe('ERROR')
})

test('a second nova-compute, and sets that nova-compute would not start with, are refused with the reason', async () => {
  const refused = (input: PlanReservation['input']) =>
    expect(createChange(world.ctx(), { cloud: world.cloud().name, kind: 'fence', input })).rejects
  const second = {
    host: HOST,
    secondHost: 'gpu18',
    sharedSet: '0-20',
    dedicatedSet: '21-22',
    memoryMib: 4096,
  }
  await refused({ way: 'second-service', ...second }).toThrow(/work up to Newton/)
  await refused({ ...cpus(), dedicatedSet: '14-22' }).toThrow(/CPU 14 is in both sets/)
})

test('all commands of the script between two looks are seen as done, and as reverted', async () => {
  const hands = await createHands({ openstack: world.openstack(), folder })
  const { id, version, steps } = await createChange(world.ctx(), {
    cloud: world.cloud().name,
    kind: 'fence',
    input: cpus(),
  })
  expect(steps.map(({ id: step }) => step.split('/')[0])).toEqual(
    expect.arrayContaining(['close-service', 'drain-server', 'write-config', 'open-service']),
  )
  const { text } = await getRunbook(world.ctx(), { id, format: 'sh' })
  const lookUntil = async (wanted: string): Promise<void> => {
    for (let looks = 0; looks < 12; looks++) {
      world.openstack().world.advance(30_000)
      world.openstack().controls.refresh()
      await world.readAgain()
      await world.run(id)
      if ((await getChange(world.ctx(), { id })).state === wanted) return
    }
    const { state, steps: now } = await getChange(world.ctx(), { id })
    throw new Error([state, ...now.map((step) => `${step.state} ${step.title}: ${step.note}`)].join('\n'))
  }
  await actOnChange(world.ctx(), { id, body: { action: 'start', version, isByHand: true } })
  await world.run(id)
  for (const { command } of steps) await hands.run(text, command)
  await lookUntil('done')
  expect((await currentHeadroom())?.options).toMatchObject({
    shared: '0-14',
    dedicated: '21-22',
    pinSet: null,
  })

  const done = await getChange(world.ctx(), { id })
  await actOnChange(world.ctx(), { id, body: { action: 'roll-back', version: done.version } })
  await world.run(id)
  for (const { undoCommand } of steps.toReversed()) await hands.run(text, undoCommand)
  await lookUntil('undone')
  expect((await currentHeadroom())?.options).toMatchObject({ shared: null, dedicated: null, pinSet: '0-22' })
  const [compute] = world.openstack().cloud.nova.computes.filter(({ host }) => host === HOST)
  expect(compute).toMatchObject({ isDisabled: false })
})

test('CPUs are divided, a server moves away, and the GPU server that failed before starts', async () => {
  const id = await run(cpus())
  expect(await currentHeadroom()).toMatchObject({
    options: { shared: '0-14', dedicated: '21-22', pinSet: null },
    lines: expect.arrayContaining([expect.objectContaining({ name: 'PCPU', capacity: 2, used: 0 })]),
  })
  const server = await bootOn('after', 'g1.gpu', HOST)
  expect(server).toMatchObject({ status: 'ACTIVE', host: HOST })
  await world.readAgain()
  expect(await currentHeadroom()).toMatchObject({ state: 'used' })
  // Its CPUs are its own, and Nova keeps them as long as it is there.
  remove(server)
  await world.readAgain()
  await takeBack(id)
  expect((await currentHeadroom())?.options).toMatchObject({ shared: null, dedicated: null, pinSet: '0-22' })
})

test('behind an aggregate ordinary servers stay out, and the GPU server starts', async () => {
  world.openstack().controls.isolateAggregates()
  await run({
    way: 'isolated',
    hosts: [HOST],
    aggregate: 'gpu-fenced',
    trait: 'CUSTOM_GPU_HOST',
    flavorIds: [flavorNamed('g1.gpu').id],
    isMoving: true,
  })
  expect((await bootOn('ordinary', 'm1.small', HOST)).status).toBe('ERROR')
  expect(await bootOn('fenced', 'g1.gpu', HOST)).toMatchObject({ status: 'ACTIVE', host: HOST })
})

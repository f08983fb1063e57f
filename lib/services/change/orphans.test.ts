import { expect, test, vi } from 'vitest'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { anyRow } from '@/lib/server/testing/any-row'
import { deliverCommands } from '@/lib/services/agent-command/deliver-commands'
import { takeResult } from '@/lib/services/agent-command/take-result'
import { getFinding } from '@/lib/services/finding/get-finding'
import { listFindings } from '@/lib/services/finding/list-findings'
import type { AgentActor } from '@/lib/services/report/group-member'
import { NOW } from '@/lib/services/testing/service-world'
import { guest } from '@/simulator/fixtures/host-parts'
import { makeMdev, removeMdev } from '@/simulator/host/change-vgpus'
import { createRandom } from '@/simulator/random/random'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { getRunbook } from './get-runbook'
import { skipStep } from './skip-step'
import { createChangeWorld } from './testing/change-world'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 })

const HOST = 'cmp-r2-07'
const GPU = { host: HOST, address: '0000:e7:00.0' }

const world = createChangeWorld({
  allow: ['remove-mdev', 'create-mdev'],
  fleetOf: (fleet) => fleet.filter(({ spec }) => spec.name === HOST),
})

const plan = () => createChange(world.ctx(), { cloud: world.cloud().name, kind: 'orphans', gpus: [GPU] })

const act = (
  { id, version }: Pick<ChangeDetail, 'id' | 'version'>,
  action: 'start' | 'stop' | 'go-on' | 'roll-back' | 'drop',
  isByHand?: boolean,
) =>
  actOnChange(world.ctx(), {
    id,
    body: { action, version, ...(isByHand === undefined ? {} : { isByHand }) },
  })

const again = (id: number) => getChange(world.ctx(), { id })

const uuidsOf = ({ steps }: ChangeDetail): string[] =>
  steps.flatMap(({ id }) => (id.startsWith('remove-mdev/') ? [id.split('/').at(-1) ?? ''] : []))

const isThere = (uuid: string): boolean =>
  world
    .living(HOST)
    .spec()
    .gpus.some(({ slicing }) => slicing?.state.vgpus.some((vgpu) => vgpu.uuid === uuid))

/** A guest that the plan does not know starts with the mdev. */
const grab = (uuid: string): void => {
  const living = world.living(HOST)
  const late = guest({ name: 'instance-0000f00d', serverName: 'late', mdevs: [uuid] })
  living.become({ ...living.spec(), guests: [...living.spec().guests, late] })
}

const release = async (): Promise<void> => {
  const living = world.living(HOST)
  const guests = living.spec().guests.filter(({ name }) => name !== 'instance-0000f00d')
  living.become({ ...living.spec(), guests })
  await world.report(HOST)
}

const takeBack = async (id: number): Promise<void> => {
  await release()
  const now = await again(id)
  if (now.state === 'planned') await act(now, 'drop')
  else {
    await act(now, 'roll-back')
    await world.run(id)
  }
  expect((await again(id)).state).toMatch(/undone|dropped/)
}

const ACTOR = `
SELECT c.id AS "credentialId", h.id AS "hostId", h.enrolment FROM host h JOIN agent_credential c ON c.host_id = h.id
WHERE h.cloud_id = $1 AND h.name = $2`

const agent = async (): Promise<AgentActor> => {
  type Row = Omit<AgentActor, 'kind' | 'cloudId' | 'hostName'>
  const [row] = await world.ctx().database.query(ACTOR, [world.cloud().id, HOST], anyRow<Row>())
  if (row === undefined) throw new Error(`${HOST} has no agent`)
  return { kind: 'agent', cloudId: world.cloud().id, hostName: HOST, ...row }
}

const deliver = async () => deliverCommands({ database: world.ctx().database, now: () => NOW }, await agent())

const report = async (order: string, outcome: 'done' | 'failed') => {
  const { id } = JSON.parse(order) as { id: string }
  const result = { id, outcome, message: 'So it was.', output: '' }
  return takeResult({ database: world.ctx().database, now: () => NOW }, { actor: await agent(), result })
}

/** Runs until the command of the first step is in the queue, without an agent that fetches it. */
const untilQueued = async (): Promise<ChangeDetail> => {
  const change = await plan()
  await act(change, 'start')
  const stop = new Error('queued')
  const onPoint = (point: string) => {
    if (point === 'after-intent') throw stop
  }
  await expect(
    world.run(change.id, {
      onPoint,
      broke: (error) => {
        throw error
      },
    }),
  ).rejects.toBe(stop)
  return again(change.id)
}

test('the plan names the literal commands, who does them, and what the plan saw', async () => {
  const change = await plan()
  const [uuid = ''] = uuidsOf(change)
  expect(change.title).toBe('3 orphaned mdevs on 1 pGPU')
  expect(change.steps.map(({ doer }) => doer)).toEqual(['agent', 'agent', 'agent', 'console'])
  expect(change.steps[0]).toMatchObject({
    calls: [`echo 1 > /sys/bus/mdev/devices/${uuid}/remove`],
    sees: expect.stringContaining('No live or persistent guest XML names it'),
  })
  const { text } = await getRunbook(world.ctx(), { id: change.id, format: 'sh' })
  expect(text).toContain(`remove_mdev ${HOST} ${uuid} ${GPU.address}\n`)
  await act(change, 'drop')
})

test('the finding that a change resolves names the change, and keeps its last text', async () => {
  const find = async () => {
    const { findings } = await listFindings(world.ctx(), { cloud: world.cloud().name })
    const found = findings.find(({ code, subject }) => {
      return code === 'orphan-mdevs' && subject.kind === 'pgpu' && subject.address === GPU.address
    })
    if (found === undefined) throw new Error('the orphans are not found')
    return getFinding(world.ctx(), { id: found.id })
  }
  await world.readAgain()
  await world.readAgain()
  const open = await find()
  expect([open.state, open.events.at(-1)?.changeId]).toEqual(['open', null])

  const change = await plan()
  await act(change, 'start')
  await world.run(change.id)
  await world.readAgain()
  const resolved = await find()
  expect(resolved).toMatchObject({ state: 'closed', sentence: open.sentence, consequence: open.consequence })
  expect(resolved.events.at(-1)).toMatchObject({ kind: 'closed', changeId: change.id })
  // Placement follows within a minute: that is a wait and no obstacle.
  const audited = await world
    .ctx()
    .database.query(
      `SELECT action FROM audit_entry WHERE subject = 'change:' || $1 || '/step:4' ORDER BY id`,
      [change.id],
      anyRow<{ action: string }>(),
    )
  expect(audited.map(({ action }) => action)).toEqual(['change.step.wait', 'change.step.happened'])

  await takeBack(change.id)
  await world.readAgain()
  await world.readAgain()
  const reopened = await find()
  expect([reopened.state, reopened.events.at(-1)?.changeId]).toEqual(['open', null])
})

test('a guest that took one since the plan, by the host’s report, blocks its step; the others go', async () => {
  const change = await plan()
  const [, held = ''] = uuidsOf(change)
  grab(held)
  await world.report(HOST)
  await act(change, 'start')
  expect(await world.run(change.id)).toBe('resting')
  const stuck = await again(change.id)
  expect(stuck.steps[1]).toMatchObject({
    state: 'blocked',
    note: expect.stringContaining('the guest late'),
  })
  expect(isThere(held)).toBe(true)
  const late = { version: stuck.version, reason: 'no longer needed' }
  await expect(skipStep(world.ctx(), { id: change.id, position: 0, body: late })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Step 1 is done'),
  })
  expect((await again(change.id)).steps[0]?.state).toBe('done')
  await skipStep(world.ctx(), {
    id: change.id,
    position: 1,
    body: { version: stuck.version, reason: 'it is in use' },
  })
  await world.run(change.id)
  expect((await again(change.id)).state).toBe('done')
  expect(uuidsOf(change).map(isThere)).toEqual([false, true, false])
  await takeBack(change.id)
})

test('a guest that takes it when the command is on its way: the agent refuses, the step fails with its sentence', async () => {
  const change = await plan()
  const [held = ''] = uuidsOf(change)
  await act(change, 'start')
  const mishap = () => {
    grab(held)
    return null
  }
  await world.run(change.id, { mishap })
  const stopped = await again(change.id)
  expect(stopped).toMatchObject({
    state: 'stopped',
    stopReason: expect.stringContaining('is attached to the guest'),
  })
  expect(stopped.steps[0]?.state).toBe('failed')
  expect(isThere(held)).toBe(true)
  await takeBack(change.id)
})

test('a foreign orphan that keeps the card full is named where an old Nova leaves its total, and once it is gone the change ends', async () => {
  const living = world.living(HOST)
  const full = living.spec()
  // The total of before the orphans, which Nova 22 leaves in Placement.
  const emptied = full.gpus.map((gpu) =>
    gpu.address !== GPU.address || gpu.slicing === null
      ? gpu
      : { ...gpu, slicing: { ...gpu.slicing, state: { ...gpu.slicing.state, vgpus: [] } } },
  )
  living.become({ ...full, gpus: emptied })
  world.openstack().controls.refresh()
  living.become(full)
  world.openstack().controls.refresh()
  await world.readAgain()
  const change = await plan()
  const foreign = 'bbbbbbbb-0000-4000-8000-000000000001'
  let fetched = 0
  const mishap = () => {
    if (++fetched === 3)
      living.attempt(makeMdev(living.spec(), { slot: GPU.address, typeId: 'nvidia-319', uuid: foreign }))
    return null
  }
  await act(change, 'start')
  expect(await world.run(change.id, { mishap })).toBe('resting')
  expect(isThere(foreign)).toBe(true)
  expect((await again(change.id)).steps.at(-1)).toMatchObject({
    state: 'blocked',
    note: expect.stringMatching(
      new RegExp(`fill ${GPU.address}, .*keeps VGPU 2 in Placement.*${foreign} \\(nvidia-319\\)`),
    ),
    wayOut: expect.stringContaining(`mdevctl stop --uuid ${foreign}`),
  })
  living.attempt(removeMdev(living.spec(), foreign))
  await world.report(HOST)
  await world.run(change.id)
  expect((await again(change.id)).state).toBe('done')
  await takeBack(change.id)
  await world.readAgain()
})

test('in seeded races no mdev of a guest is removed, whenever the guest appears', async () => {
  const random = createRandom(17)
  for (let round = 0; round < 12; round++) {
    const change = await plan()
    const uuids = uuidsOf(change)
    const held = uuids[random.between(0, uuids.length - 1)] ?? ''
    const at = random.between(0, 3)
    if (at === 0) grab(held)
    if (random.between(0, 1) === 1) await world.report(HOST)
    await act(change, 'start')
    let fetched = 0
    const mishap = () => {
      if (++fetched === at && isThere(held)) grab(held)
      return null
    }
    await world.run(change.id, { mishap })
    const isHeld = world
      .living(HOST)
      .spec()
      .guests.some(({ mdevs }) => mdevs.includes(held))
    expect(isHeld && !isThere(held), `round ${round}`).toBe(false)
    await takeBack(change.id)
  }
})

test('a repeated request of the same person does nothing more, of another person or version it is refused', async () => {
  const [change, same] = await Promise.all([plan(), plan()])
  expect(same.id).toBe(change.id)
  const started = await act(change, 'start')
  expect(await act(change, 'start')).toMatchObject({ id: started.id, version: started.version })
  const stopped = await act(started, 'stop')
  expect((await act(started, 'stop')).version).toBe(stopped.version)
  await expect(act(change, 'start')).rejects.toMatchObject({ code: 'conflict' })
  const other = world.ctx({ kind: 'user', name: 'ben', roles: ['admin'] })
  await expect(
    actOnChange(other, { id: change.id, body: { action: 'stop', version: started.version } }),
  ).rejects.toMatchObject({ code: 'conflict' })
  const rows = await world
    .ctx()
    .database.query(
      `SELECT action FROM audit_entry WHERE subject = 'change:' || $1 ORDER BY id`,
      [change.id],
      anyRow<{ action: string }>(),
    )
  expect(rows.map(({ action }) => action)).toEqual(['change.plan', 'change.start', 'change.stop'])
  await takeBack(change.id)
})

test('Pause withdraws a queued command, and Resume sends a new one', async () => {
  const queued = await untilQueued()
  await act(queued, 'stop')
  expect(await deliver()).toEqual([])
  await act(await again(queued.id), 'go-on')
  await world.run(queued.id)
  expect((await again(queued.id)).state).toBe('done')
  await takeBack(queued.id)
})

test('what an agent has fetched can’t be dropped or skipped before its answer, and is assigned again till then', async () => {
  const queued = await untilQueued()
  const [order] = await deliver()
  expect(await deliver()).toEqual([order])
  await act(queued, 'stop')
  const stopped = await again(queued.id)
  await expect(act(stopped, 'drop')).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('has the command of step 1'),
  })
  const skip = { version: stopped.version, reason: 'no' }
  await expect(skipStep(world.ctx(), { id: queued.id, position: 0, body: skip })).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(await report(order?.order ?? '', 'failed')).toEqual({ isApplied: true })
  expect(await report(order?.order ?? '', 'done')).toEqual({ isApplied: false })
  expect(await deliver()).toEqual([])
  await act(await again(queued.id), 'drop')
})

test('an answer “done” without its effect in the host’s report fails the step', async () => {
  const queued = await untilQueued()
  const [order] = await deliver()
  await report(order?.order ?? '', 'done')
  await world.run(queued.id)
  expect(await again(queued.id)).toMatchObject({
    state: 'stopped',
    stopReason: expect.stringContaining('the check failed'),
  })
  await takeBack(queued.id)
})

test('another host’s agent can’t answer, and gets nothing', async () => {
  const queued = await untilQueued()
  const other = { ...(await agent()), hostId: 999_999 }
  const ctx = { database: world.ctx().database, now: () => NOW }
  expect(await deliverCommands(ctx, other)).toEqual([])
  const [order] = await deliver()
  const { id } = JSON.parse(order?.order ?? '') as { id: string }
  const result = { id, outcome: 'done' as const, message: 'x', output: '' }
  await expect(takeResult(ctx, { actor: other, result })).rejects.toMatchObject({ code: 'unauthorized' })
  await report(order?.order ?? '', 'failed')
  await world.run(queued.id)
  await takeBack(queued.id)
})

test('by hand the console watches and ticks off, also on a host that allows nothing', async () => {
  const change = await plan()
  await act(change, 'start', true)
  expect(await world.run(change.id)).toBe('resting')
  const waiting = await again(change.id)
  expect(waiting.steps[0]).toMatchObject({
    state: 'waiting',
    note: expect.stringContaining('Waiting for you'),
    wayOut: expect.stringMatching(/^remove_mdev /),
  })
  expect(await deliver()).toEqual([])
  const living = world.living(HOST)
  for (const uuid of uuidsOf(change)) living.attempt(removeMdev(living.spec(), uuid))
  await world.report(HOST)
  await world.run(change.id)
  expect((await again(change.id)).state).toBe('done')
  await act(await again(change.id), 'roll-back')
  await world.run(change.id)
  const back = await again(change.id)
  expect(back.steps.filter(({ state }) => state === 'waiting')).toHaveLength(1)
  // They are not recreated: the remaining steps are skipped, with the reason.
  for (const { position, hasEffect } of back.steps.toReversed()) {
    if (!hasEffect) continue
    await world.run(change.id)
    const { version } = await again(change.id)
    await skipStep(world.ctx(), {
      id: change.id,
      position,
      body: { version, reason: 'they were not needed' },
    })
  }
  await world.run(change.id)
  expect((await again(change.id)).state).toBe('undone')
})

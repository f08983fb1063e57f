import { expect, test } from 'vitest'
import { toStored } from '@/lib/domain/plans/stored-plan'
import { changeDetailSchema } from '@/lib/schemas/api/change'
import { jsonValue } from '@/lib/server/database/json-value'
import { createServiceWorld, NOW, READER, TENANT } from '@/lib/services/testing/service-world'
import { getChange, getChangeProgress } from './get-change'
import { listChangeSteps } from './list-change-steps'

const world = createServiceWorld()

const HOSTS = 30
const STEPS_OF_HOST = 4
const LARGE = 1 + HOSTS * STEPS_OF_HOST

const bodyOf = (position: number) => {
  const host = `cmp-${Math.floor((position - 1) / STEPS_OF_HOST)}`
  const texts = { sees: '', precondition: '', check: '', undo: '', command: 'true', undoCommand: 'true' }
  // Of each host the last step is one to verify, the others reconfigure.
  const kind = position % STEPS_OF_HOST === 0 ? 'verify-sliced' : 'bind-driver'
  const step = { id: `${kind}/${position}`, title: `Step ${position}`, doer: 'operator', calls: [], ...texts }
  return position === 0
    ? toStored({
        ...step,
        id: 'create-trait/CUSTOM_T4_8C',
        task: { kind: 'create-trait', trait: 'CUSTOM_T4_8C' },
      })
    : toStored({ ...step, task: { kind: 'verify-sliced', host, address: '0000:18:00.0', driver: 'nvidia' } })
}

/** A running change in which the steps before `current` are done. */
const addChange = async (count: number, current: number): Promise<number> => {
  const { id: cloudId } = await world.newCloud()
  const { prisma } = world.database()
  const preview = { kind: 'orphans', targets: [], refusals: [], unchanged: [], flavors: [] }
  const { id } = await prisma.change.create({
    data: {
      ...{ cloudId, kind: 'orphans', title: 'Orphans', state: 'running', madeBy: 'user:anna', madeAt: NOW },
      ...{ lastAction: 'start', lastBy: 'user:anna', lastAt: NOW },
      input: jsonValue(toStored({ cloud: null, kind: 'orphans', gpus: 'all' })),
      preview: jsonValue(toStored(preview)),
    },
  })
  await prisma.changeStep.createMany({
    data: Array.from({ length: count }, (_, position) => ({
      ...{
        changeId: id,
        position,
        body: jsonValue(bodyOf(position)),
        changedAt: position > current ? null : NOW,
      },
      state: position < current ? 'done' : position === current ? 'blocked' : 'pending',
      ...(position < current ? { intent: jsonValue(toStored({})) } : {}),
    })),
  })
  return id
}

test('the answer for a large change has numbers and the current step instead of all steps', async () => {
  const id = await addChange(LARGE, 6)
  const change = changeDetailSchema.parse(await getChange(world.ctx(READER), { id }))
  expect(change.steps).toEqual([])
  expect(change.stepCount).toBe(LARGE)
  expect(change.currentStep).toMatchObject({ position: 6, host: 'cmp-1', state: 'blocked' })
  expect(change.effects).toEqual({ steps: 6, first: 0, last: 5 })
  const at = NOW.toISOString()
  expect(change.hosts).toHaveLength(1 + HOSTS)
  expect(change.hosts.slice(0, 4).map(({ phases: _, ...host }) => host)).toEqual([
    { host: null, steps: 1, ended: 1, state: null, changedAt: at },
    { host: 'cmp-0', steps: 4, ended: 4, state: null, changedAt: at },
    { host: 'cmp-1', steps: 4, ended: 1, state: 'blocked', changedAt: at },
    { host: 'cmp-2', steps: 4, ended: 0, state: null, changedAt: null },
  ])
  expect(change.hosts[0]?.phases).toEqual([{ phase: 'prepare', steps: 1, ended: 1, state: null }])
  expect(change.hosts[2]?.phases).toEqual([
    { phase: 'reconfigure', steps: 3, ended: 1, state: 'blocked' },
    { phase: 'verify', steps: 1, ended: 0, state: null },
  ])
})

test('a small change has all steps in its answer', async () => {
  const id = await addChange(100, 6)
  const { steps, stepCount, currentStep } = await getChange(world.ctx(READER), { id })
  expect([steps.length, stepCount]).toEqual([100, 100])
  expect(currentStep).toEqual(steps[6])
})

test('its progress is the same without what it was planned from', async () => {
  const id = await addChange(LARGE, 6)
  const { input: _, preview: _preview, ...progress } = await getChange(world.ctx(READER), { id })
  expect(await getChangeProgress(world.ctx(READER), { id })).toEqual(progress)
})

test('its steps come page by page, of all, of one host or of one phase', async () => {
  const id = await addChange(LARGE, 6)
  const list = (question: {
    host?: string
    phase?: 'drain' | 'reconfigure' | 'verify'
    limit?: number
    cursor?: string | null
  }) => listChangeSteps(world.ctx(READER), { id, ...question })
  const first = await list({})
  const second = await list({ cursor: first.next })
  expect([first.steps.length, second.steps.length, second.next]).toEqual([100, LARGE - 100, null])
  expect([...first.steps, ...second.steps].map(({ position }) => position)).toEqual(
    Array.from({ length: LARGE }, (_, position) => position),
  )
  const ofHost = await list({ host: 'cmp-2', limit: 3 })
  expect(ofHost.steps.map(({ position, host }) => [position, host])).toEqual([
    [9, 'cmp-2'],
    [10, 'cmp-2'],
    [11, 'cmp-2'],
  ])
  expect(ofHost.total).toBe(4)
  const verified = await list({ phase: 'verify' })
  expect([verified.total, verified.steps[0]?.position, verified.steps[1]?.position]).toEqual([HOSTS, 4, 8])
  expect((await list({ host: 'cmp-2', phase: 'verify' })).steps.map(({ position }) => position)).toEqual([12])
  expect((await list({ host: 'cmp-2', phase: 'drain' })).total).toBe(0)
  expect((await list({ host: '' })).steps.map(({ position }) => position)).toEqual([0])
})

test('a tenant sees neither its progress nor its steps', async () => {
  const id = await addChange(2, 1)
  const forbidden = { code: 'forbidden' }
  await expect(getChangeProgress(world.ctx(TENANT), { id })).rejects.toMatchObject(forbidden)
  await expect(listChangeSteps(world.ctx(TENANT), { id })).rejects.toMatchObject(forbidden)
})

import { expect, test } from 'vitest'
import { scenarioListSchema, scenarioSchema } from '@/lib/schemas/api/scenario'
import type { CreateScenario, ScenarioStepDto } from '@/lib/schemas/api/scenario-inputs'
import type { Actor } from '@/lib/server/context/service-context'
import { createServiceWorld, NOW, READER, TENANT } from '@/lib/services/testing/service-world'
import { createScenario } from './create-scenario'
import { deleteScenario } from './delete-scenario'
import { getScenario } from './get-scenario'
import { listScenarios } from './list-scenarios'
import { saveScenario } from './save-scenario'

const world = createServiceWorld()

const BOB: Actor = { kind: 'user', name: 'bob', roles: ['admin'] }
const REMOVE: ScenarioStepDto = { do: 'remove', hosts: ['cmp-1'], date: '2027-03-01' }
const ADD: ScenarioStepDto = { do: 'add', count: 2, like: 'cmp-2', date: '2027-01-15' }

const newCloud = async () => {
  const { name: cloud } = await world.newCloud()
  const create = (change: Partial<CreateScenario> = {}, actor?: Actor) =>
    createScenario(world.ctx(actor), { body: { cloud, name: 'Q1 expansion', steps: [ADD], ...change } })
  const audited = () =>
    world.database().prisma.auditEntry.findMany({
      where: { cloud, action: { startsWith: 'scenario.' } },
      orderBy: { id: 'asc' },
    })
  const names = async () =>
    (await listScenarios(world.ctx(READER), { cloud })).scenarios.map(({ name }) => name)
  return { cloud, create, audited, names }
}

test('a scenario is listed with who saved it, and a reader opens it', async () => {
  const { cloud, create, audited } = await newCloud()
  const created = scenarioSchema.parse(await create({ name: ' Q1 expansion ', steps: [REMOVE, ADD] }))
  expect(created).toMatchObject({ name: 'Q1 expansion', version: 1, savedBy: 'user:local-admin' })
  expect(created.steps).toEqual([ADD, REMOVE])
  expect(await getScenario(world.ctx(READER), { id: created.id })).toEqual(created)
  const list = scenarioListSchema.parse(await listScenarios(world.ctx(READER), { cloud }))
  expect(list.scenarios).toMatchObject([
    { id: created.id, stepCount: 2, from: '2027-01-15', until: '2027-03-01', savedAt: NOW.toISOString() },
  ])
  expect(await audited()).toMatchObject([
    {
      action: 'scenario.create',
      subject: `scenario:${created.id}`,
      before: null,
      after: { name: 'Q1 expansion', steps: [ADD, REMOVE] },
    },
  ])
})

test('a save changes name and steps, and raises the version', async () => {
  const { create, audited, names } = await newCloud()
  const { id } = await create()
  const saved = await saveScenario(world.ctx(BOB), {
    id,
    body: { name: 'Expansion', steps: [ADD, REMOVE], version: 1 },
  })
  expect(saved).toMatchObject({
    ...{ name: 'Expansion', version: 2, createdBy: 'user:local-admin', savedBy: 'user:bob' },
    steps: [ADD, REMOVE],
  })
  expect(await names()).toEqual(['Expansion'])
  expect((await audited()).at(-1)).toMatchObject({
    action: 'scenario.save',
    actor: 'user:bob',
    before: { name: 'Q1 expansion', steps: [ADD] },
    after: { name: 'Expansion', steps: [ADD, REMOVE] },
  })
})

test('a save on top of the save of another person is refused, and changes nothing', async () => {
  const { create, audited } = await newCloud()
  const { id } = await create()
  const save = (steps: ScenarioStepDto[], actor?: Actor) =>
    saveScenario(world.ctx(actor), { id, body: { name: 'Q1 expansion', steps, version: 1 } })
  await save([REMOVE], BOB)
  await expect(save([])).rejects.toMatchObject({
    code: 'conflict',
    message:
      'bob saved "Q1 expansion" at 2026-11-21T14:03:22.000Z, after you opened it: reload the scenario, then repeat your change.',
  })
  expect((await getScenario(world.ctx(), { id })).steps).toEqual([REMOVE])
  expect(await audited()).toHaveLength(2)
  const results = await Promise.allSettled(
    [1, 2, 3].map(() =>
      saveScenario(world.ctx(), { id, body: { name: 'Q1 expansion', steps: [], version: 2 } }),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a name is used once in a cloud', async () => {
  const { create, names } = await newCloud()
  const { id } = await create()
  await create({ name: 'Other' })
  await expect(create()).rejects.toMatchObject({
    code: 'conflict',
    field: 'name',
    message: 'There is a scenario named "Q1 expansion" already: choose another name.',
  })
  await expect(
    saveScenario(world.ctx(), { id, body: { name: 'Other', steps: [], version: 1 } }),
  ).rejects.toMatchObject({ code: 'conflict', field: 'name' })
  expect(await names()).toEqual(['Other', 'Q1 expansion'])
  const other = await newCloud()
  await other.create()
  expect(await other.names()).toEqual(['Q1 expansion'])
})

test('a deleted scenario is gone, and the audit keeps its steps', async () => {
  const { create, audited, names } = await newCloud()
  const { id } = await create()
  await deleteScenario(world.ctx(), { id })
  expect(await names()).toEqual([])
  await expect(getScenario(world.ctx(), { id })).rejects.toMatchObject({ code: 'not_found' })
  await expect(deleteScenario(world.ctx(), { id })).rejects.toMatchObject({ code: 'not_found' })
  expect((await audited()).at(-1)).toMatchObject({
    action: 'scenario.delete',
    before: { name: 'Q1 expansion', steps: [ADD] },
    after: null,
  })
})

test('steps of a newer release are listed, and not read', async () => {
  const { cloud, create } = await newCloud()
  const { id } = await create()
  await world
    .database()
    .prisma.scenario.update({ where: { id }, data: { steps: { version: 2, steps: [{ do: 'merge' }] } } })
  expect((await listScenarios(world.ctx(), { cloud })).scenarios).toMatchObject([{ stepCount: null }])
  await expect(getScenario(world.ctx(), { id })).rejects.toMatchObject({
    code: 'precondition',
    message: expect.stringMatching(/a newer release of the console saved them/),
  })
})

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(81) }, 'name'],
  [{ steps: [{ ...ADD, date: '2027-02-30' }] }, 'steps[0].date'],
  [{ steps: [{ ...ADD, count: 0 }] }, 'steps[0].count'],
  [{ steps: Array.from({ length: 21 }, () => ADD) }, 'steps'],
])('%j is refused with its field', async (change, field) => {
  const { create, audited } = await newCloud()
  await expect(create(change)).rejects.toMatchObject({ code: 'validation', field })
  expect(await audited()).toEqual([])
})

test('a reader saves nothing, a tenant sees nothing, and nothing is written', async () => {
  const { cloud, create, audited } = await newCloud()
  const { id } = await create()
  for (const actor of [READER, TENANT]) {
    const ctx = world.ctx(actor)
    await expect(create({ name: 'Another' }, actor)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(saveScenario(ctx, { id, body: { name: 'x', steps: [], version: 1 } })).rejects.toMatchObject(
      { code: 'forbidden' },
    )
    await expect(deleteScenario(ctx, { id })).rejects.toMatchObject({ code: 'forbidden' })
  }
  await expect(listScenarios(world.ctx(TENANT), { cloud })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(getScenario(world.ctx(TENANT), { id })).rejects.toMatchObject({ code: 'forbidden' })
  expect(await audited()).toHaveLength(1)
})

test('an account of another cloud does not find it', async () => {
  const { create } = await newCloud()
  const { id } = await create()
  const { name: cloud } = await world.newCloud()
  const stranger: Actor = {
    ...BOB,
    account: {
      ...{ cloud, userId: 'u-bob', userName: 'bob', userDomain: 'Default', scope: { kind: 'system' } },
      source: { kind: 'session', sessionId: 1, sessionHash: 'h1' },
    },
  }
  await expect(getScenario(world.ctx(stranger), { id })).rejects.toMatchObject({ code: 'not_found' })
  await expect(deleteScenario(world.ctx(stranger), { id })).rejects.toMatchObject({ code: 'not_found' })
})

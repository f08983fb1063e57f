import { expect, test } from 'vitest'
import { changeDetailSchema } from '@/lib/schemas/api/change'
import { anyRow } from '@/lib/server/testing/any-row'
import { createServiceWorld, READER, TENANT } from '@/lib/services/testing/service-world'
import { getChange } from './get-change'

const world = createServiceWorld()

const ADD = `
INSERT INTO change (cloud_id, kind, title, input, preview, last_action, last_by, last_at, made_by, made_at)
VALUES ($1, 'limits', 'Limits', $2::jsonb, $3::jsonb,
  'plan', 'user:anna', now(), 'user:anna', now()) RETURNING id`

const PREVIEW = {
  kind: 'limits',
  targets: [],
  refusals: [],
  unchanged: [],
  flavors: [],
  limitChange: {
    region: null,
    effects: [],
    classes: [],
    over: [],
    refusals: [],
    unchanged: 0,
    grant: null,
    notes: [],
    configs: [],
  },
}

const addChange = async (input: unknown): Promise<number> => {
  const { id } = await world.newCloud()
  const [row] = await world
    .database()
    .query(ADD, [id, JSON.stringify(input), JSON.stringify(PREVIEW)], anyRow<{ id: number }>())
  return row?.id ?? 0
}

const INPUT = {
  cloud: null,
  kind: 'limits',
  limits: [{ resourceName: 'class:VGPU', projectId: 'p1', value: null }],
  setUp: { user: 'nova', domainId: 'default', removesStrays: true },
}

test('a change has the input that it was planned from', async () => {
  const id = await addChange(INPUT)
  const change = changeDetailSchema.parse(await getChange(world.ctx(READER), { id }))
  expect(change).toMatchObject({ input: INPUT, preview: PREVIEW })
})

test('what an older console left out has its default', async () => {
  const { setUp: _, ...old } = INPUT
  const id = await addChange(old)
  expect((await getChange(world.ctx(READER), { id })).input).toEqual({ ...INPUT, setUp: null })
})

test('an input that cannot be read is null, and the change is shown', async () => {
  const id = await addChange({ kind: 'limits', desired: 4 })
  const change = changeDetailSchema.parse(await getChange(world.ctx(READER), { id }))
  expect(change).toMatchObject({ id, title: 'Limits', input: null })
})

test('a tenant sees no change', async () => {
  const id = await addChange(INPUT)
  await expect(getChange(world.ctx(TENANT), { id })).rejects.toMatchObject({ code: 'forbidden' })
})

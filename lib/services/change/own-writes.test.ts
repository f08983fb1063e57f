import { beforeEach, expect, test, vi } from 'vitest'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import { NOW } from '@/lib/services/testing/service-world'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { createChangeWorld } from './testing/change-world'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let now = NOW
const world = createChangeWorld({
  fleetOf: (fleet) => fleet.slice(0, 2).map((host) => ({ ...host, story: { kind: 'still' as const } })),
  now: () => now,
})
const ctx = () => ({ ...world.ctx(), now: () => now })

const pass = (): void => {
  now = new Date(now.getTime() + 2000)
}

beforeEach(async () => {
  await world.readAgain()
  await world.readAgain()
})

const run = async ({ id }: Pick<ChangeDetail, 'id'>, action: 'start' | 'roll-back' = 'start') => {
  pass()
  const { version } = await getChange(ctx(), { id })
  await actOnChange(ctx(), { id, body: { action, version } })
  await world.run(id, { now: () => now })
  return getChange(ctx(), { id })
}

const blockedNote = ({ steps }: ChangeDetail) => steps.find(({ state }) => state === 'blocked')?.note ?? null

const firstFlavor = () => {
  const [flavor] = world.openstack().cloud.nova.flavors
  if (flavor === undefined) throw new Error('the cloud has no flavor')
  return flavor
}

const hidden = (text: string): PlanChange => ({
  cloud: world.cloud().name,
  kind: 'flavor',
  isLandingNowhereAccepted: true,
  wish: {
    do: 'change',
    flavorIds: [firstFlavor().id],
    trait: null,
    set: { hide_hypervisor_id: text },
    unset: [],
    grant: [],
    revoke: [],
  },
})

const limit = (value: number): PlanChange => ({
  cloud: world.cloud().name,
  kind: 'limits',
  limits: [
    { resourceName: 'class:VGPU', projectId: world.openstack().cloud.keystone.projects[0]?.id ?? '', value },
  ],
})

const CASES: readonly [string, (place: 'first' | 'second') => PlanChange | Promise<PlanChange>][] = [
  ['extra specs', (place) => hidden(place === 'first' ? 'true' : 'false')],
  ['limits', (place) => limit(place === 'first' ? 77 : 78)],
]

test.each(CASES)('a step on %s that another change wrote names that change', async (_, plan) => {
  const second = await createChange(ctx(), await plan('second'))
  const first = await createChange(ctx(), await plan('first'))
  expect(await run(first)).toMatchObject({ stopReason: null, state: 'done' })
  const ended = await run(second)
  expect(ended.steps.find(({ state }) => state === 'blocked')).toMatchObject({ writerChangeId: first.id })
  expect(blockedNote(ended)).toContain(` Change ${first.id} (${first.title}) wrote it at 2`)
  expect(ended.state).toBe('running')
  await run(ended, 'roll-back')
  await run(first, 'roll-back')
})

test('a target that was changed outside of the console names no change', async () => {
  const done = await run(await createChange(ctx(), hidden('true')))
  expect(done.state).toBe('done')
  pass()
  const next = await createChange(ctx(), hidden('false'))
  firstFlavor().extraSpecs.hide_hypervisor_id = '1'
  const note = blockedNote(await run(next))
  expect(note).toMatch(/hide_hypervisor_id changed after the plan was made: from "true" to "1"\.$/)
})

import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { NOW } from '@/lib/services/testing/service-world'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { previewChange } from './preview-change'
import { createChangeWorld } from './testing/change-world'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let now = NOW
const world = createChangeWorld({
  fleetOf: (fleet) => fleet.slice(0, 2).map((host) => ({ ...host, story: { kind: 'still' as const } })),
  now: () => now,
})
const ctx = () => ({ ...world.ctx(), now: () => now })

const pass = (seconds: number): void => {
  now = new Date(now.getTime() + seconds * 1000)
}

const tagging = async (rule: string) => {
  const [gpu] = await world.taggable(1)
  if (gpu === undefined) throw new Error('no GPU of the world has one provider')
  return { cloud: world.cloud().name, kind: 'traits' as const, gpus: [gpu], rule }
}

const runToEnd = async ({ id, version }: Pick<ChangeDetail, 'id' | 'version'>): Promise<ChangeDetail> => {
  await actOnChange(ctx(), { id, body: { action: 'start', version } })
  pass(2)
  await world.run(id, { now: () => now })
  pass(2)
  return getChange(ctx(), { id })
}

/** Readings of this world are of NOW, and all changes run later. */
beforeEach(async () => {
  now = NOW
  await world.readAgain()
})

test('the same plan right after the change has nothing left to do', async () => {
  const input = await tagging('CUSTOM_FIRST_{type}')
  const done = await runToEnd(await createChange(ctx(), input))
  expect(done.state).toBe('done')
  const { steps, preview } = await previewChange(ctx(), input)
  expect(steps).toEqual([])
  expect(preview.unchanged).toHaveLength(1)
})

test('another plan right after a change runs to its end: it starts from what that change wrote', async () => {
  const first = await runToEnd(await createChange(ctx(), await tagging('CUSTOM_SECOND_{type}')))
  expect(first.state).toBe('done')
  const next = await createChange(ctx(), await tagging('CUSTOM_THIRD_{type}'))
  const ended = await runToEnd(next)
  expect(ended.steps.map(({ state, note }) => ({ state, note }))).toEqual(
    ended.steps.map(() => ({ state: 'done', note: null })),
  )
  expect(ended.state).toBe('done')
})

test('a console that cannot read the cloud again refuses the plan, with the change that wrote', async () => {
  const first = await runToEnd(await createChange(ctx(), await tagging('CUSTOM_FOURTH_{type}')))
  expect(first.state).toBe('done')
  const input = await tagging('CUSTOM_FIFTH_{type}')
  const withoutAccount = { ...ctx(), accounts: [] }
  await expect(createChange(withoutAccount, input)).rejects.toMatchObject({
    code: 'precondition',
    message: expect.stringMatching(
      /before change \d+ wrote to it .* Wait for the next reading round, then plan again\.$/,
    ),
  })
  expect((await createChange(ctx(), input)).steps.length).toBeGreaterThan(0)
})

test('a Neutron that fails in the reading after a change refuses no plan', async () => {
  const input = await tagging('CUSTOM_NEUTRON_{type}')
  const { cloud, controls } = world.openstack()
  const compute = cloud.nova.computes.find(({ host }) => host !== input.gpus[0]?.host)
  if (compute === undefined) throw new Error('the cloud has one host')
  const name = compute.host
  onTestFinished(async () => {
    compute.host = name
    controls.repairApi({ service: 'neutron' })
    await world.readAgain()
  })
  compute.host = 'gpu18'
  await world.readAgain()
  expect((await runToEnd(await createChange(ctx(), input))).state).toBe('done')
  controls.breakApi({ service: 'neutron', kind: '500' })
  const { preview } = await previewChange(ctx(), input)
  expect(preview.unchanged).toHaveLength(1)
})

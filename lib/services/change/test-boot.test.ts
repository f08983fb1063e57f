import { expect, test, vi } from 'vitest'
import { COMMAND_NAMES } from '@/lib/schemas/agent/command'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { PlanTypeChange } from '@/lib/schemas/api/change-inputs'
import { NOW } from '@/lib/services/testing/service-world'
import { IMAGE_ID } from '@/simulator/openstack/demo-cloud/images'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { listTestChoices } from './list-test-choices'
import { skipStep } from './skip-step'
import { listDueChanges } from './start-change-runner'
import { createChangeWorld } from './testing/change-world'
import { createOperator } from './testing/operator'
import { TEST_FLAVOR } from './testing/test-flavor'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 })

const [HOST, OTHER] = ['cmp-r2-05', 'cmp-r2-06']

const flavor = { ...TEST_FLAVOR }

const world = createChangeWorld({
  allow: COMMAND_NAMES,
  flavors: [flavor],
  fleetOf: (fleet) =>
    fleet
      .filter(({ spec }) => [HOST, OTHER].includes(spec.name))
      .map((host) => ({ ...host, story: { kind: 'still' } })),
})
const operator = createOperator(world)

const addressOf = (index: number): string => operator.hostNamed(HOST).spec().gpus[index]?.address ?? ''

const planInput = (over: Partial<PlanTypeChange> = {}): PlanTypeChange => ({
  cloud: world.cloud().name,
  kind: 'type',
  gpus: [{ host: HOST, address: addressOf(0) }],
  typeId: 'nvidia-320',
  resourceClass: null,
  isFlavorLossAccepted: true,
  testBoot: { flavorId: flavor.id, imageId: IMAGE_ID, networks: 'none' },
  ...over,
})

const act = (
  { id, version }: Pick<ChangeDetail, 'id' | 'version'>,
  action: 'start' | 'stop' | 'go-on' | 'roll-back' | 'drop',
) => actOnChange(world.ctx(), { id, body: { action, version } })

const again = (id: number) => getChange(world.ctx(), { id })

const testServers = () =>
  [...world.openstack().cloud.nova.servers.values()].filter(({ name }) => name.startsWith('sliceboard-test-'))

const computeNow = () => world.openstack().cloud.nova.computes.find(({ host }) => host === HOST)

const dueChanges = async (at = NOW): Promise<number[]> =>
  (await listDueChanges(world.ctx().database.query, at)).map(({ id }) => id)

/** Up to where the console dies with its test server just made. */
const crashOnceMade = async (id: number) => {
  let isMade = false
  const onPoint = () => {
    if (isMade || testServers().length === 0) return
    isMade = true
    throw new Error('crash')
  }
  await expect(operator.follow(id, { onPoint })).rejects.toThrow('crash')
}

const sweep = async (id: number) => {
  for (let round = 0; round < 5; round++) {
    await world.run(id)
    world.openstack().world.advance(5000)
  }
}

const takeBack = async (id: number) => {
  await act(await again(id), 'roll-back')
  await operator.follow(id)
  expect((await again(id)).state).toBe('undone')
  await world.readAgain()
}

test('possible choices of a test boot are offered, and flavors that fit nowhere are refused in the plan', async () => {
  const { flavors, images } = await listTestChoices(
    { ...world.ctx(), accounts: [world.account()] },
    { cloud: world.cloud().name },
  )
  expect(flavors).toContainEqual({ id: flavor.id, name: flavor.name })
  expect(images).toContainEqual({ id: IMAGE_ID, name: 'ubuntu-24.04' })
  const unknown = planInput({ testBoot: { flavorId: 'no-such', imageId: IMAGE_ID, networks: 'none' } })
  await expect(createChange(world.ctx(), unknown)).rejects.toThrow(/no flavor no-such for the test boot/)
  const old = world.openstack().cloud.nova.flavors.find(({ name }) => name === 'vgpu.t4-4c')
  const whole = planInput({
    gpus: { host: HOST },
    testBoot: { flavorId: old?.id ?? '', imageId: IMAGE_ID, networks: 'none' },
  })
  await expect(createChange(world.ctx(), whole)).rejects.toThrow(/could not be scheduled on it with T4-8C/)
})

test('a server comes up on the changed pGPU and is gone again at the end', async () => {
  const planned = await createChange(world.ctx(), planInput())
  await act(planned, 'start')
  await operator.follow(planned.id)
  const done = await again(planned.id)
  expect(done.state).toBe('done')
  expect(done.steps.find(({ id }) => id === `test-boot/${HOST}`)?.answer).toMatch(
    new RegExp(`is ACTIVE on ${HOST} with mdev .* \\(nvidia-320\\) of ${addressOf(0)}`),
  )
  expect(testServers()).toEqual([])
  await act(done, 'roll-back')
  await act(await again(planned.id), 'stop')
  expect(await dueChanges(), 'its test server is gone').not.toContain(planned.id)
  await takeBack(planned.id)
})

test('a failed test disables the host, deletes its server and states the reason; resuming retries', async () => {
  const planned = await createChange(world.ctx(), planInput())
  Object.assign(flavor, { extraSpecs: { ...TEST_FLAVOR.extraSpecs, 'trait:CUSTOM_NOWHERE': 'required' } })
  await act(planned, 'start')
  await operator.follow(planned.id)
  const stopped = await again(planned.id)
  expect(stopped).toMatchObject({
    state: 'stopped',
    stopReason: expect.stringMatching(/ended in ERROR: No valid host was found.*deleted.*disabled again/),
  })
  expect(computeNow()).toMatchObject({
    isDisabled: true,
    disabledReason: expect.stringMatching(/^Sliceboard:/),
  })
  world.openstack().world.advance(5000)
  expect(testServers()).toEqual([])

  Object.assign(flavor, TEST_FLAVOR)
  await act(stopped, 'go-on')
  await operator.follow(planned.id)
  expect((await again(planned.id)).state).toBe('done')
  expect(computeNow()?.isDisabled).toBe(false)
  await takeBack(planned.id)
})

test('a failed test that is skipped opens its host again at the end', async () => {
  const planned = await createChange(world.ctx(), planInput())
  Object.assign(flavor, { extraSpecs: { ...TEST_FLAVOR.extraSpecs, 'trait:CUSTOM_NOWHERE': 'required' } })
  await act(planned, 'start')
  await operator.follow(planned.id)
  Object.assign(flavor, TEST_FLAVOR)
  const skip = async (stepId: string, reason: string) => {
    const { version, steps } = await again(planned.id)
    const position = steps.find(({ id }) => id === stepId)?.position ?? -1
    await skipStep(world.ctx(), { id: planned.id, position, body: { version, reason } })
  }
  const stopped = await again(planned.id)
  expect(stopped.stopReason).toContain(`skip this step to enable scheduling on ${HOST} without a test`)
  expect(computeNow()?.isDisabled).toBe(true)
  await skip(`test-boot/${HOST}`, 'the project has no quota for it')
  await act(await again(planned.id), 'go-on')
  await operator.follow(planned.id)
  const done = await again(planned.id)
  expect(done.state).toBe('done')
  expect(done.steps.at(-1)).toMatchObject({ id: `reopen-service/${HOST}`, state: 'done' })
  expect(computeNow()).toMatchObject({ isDisabled: false })
  await takeBack(planned.id)
  expect(computeNow()).toMatchObject({ isDisabled: false })
})

test('a crash right after the server was created, then a stop: the server is found again and deleted', async () => {
  const planned = await createChange(world.ctx(), planInput())
  await act(planned, 'start')
  await crashOnceMade(planned.id)
  expect(testServers()).toHaveLength(1)
  const [{ metadata } = { metadata: {} }] = testServers()
  expect(metadata).toMatchObject({
    sliceboard_change: String(planned.id),
    sliceboard_step: `test-boot/${HOST}`,
  })
  await act(await again(planned.id), 'stop')
  expect(await dueChanges()).toContain(planned.id)
  await sweep(planned.id)
  expect(testServers()).toEqual([])
  expect(await dueChanges()).not.toContain(planned.id)
  const stopped = await again(planned.id)
  expect(stopped.steps.find(({ id }) => id === `test-boot/${HOST}`)).toMatchObject({ state: 'undone' })
  await act(stopped, 'go-on')
  await operator.follow(planned.id)
  expect((await again(planned.id)).state).toBe('done')
  expect(testServers()).toEqual([])
  await takeBack(planned.id)
})

test('a dropped change is checked until its test server is gone, and not forever', async () => {
  const planned = await createChange(world.ctx(), planInput())
  await act(planned, 'start')
  await crashOnceMade(planned.id)
  await act(await again(planned.id), 'stop')
  await act(await again(planned.id), 'drop')
  expect(await dueChanges()).toContain(planned.id)
  expect(await dueChanges(new Date(NOW.getTime() + 8 * 86_400_000))).not.toContain(planned.id)
  await sweep(planned.id)
  expect(testServers()).toEqual([])
  expect(await dueChanges()).not.toContain(planned.id)
})

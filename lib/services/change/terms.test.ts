import { expect, test, vi } from 'vitest'
import type { ChangeTarget } from '@/lib/domain/plans/step'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { Actor } from '@/lib/server/context/service-context'
import { READER } from '@/lib/services/testing/service-world'
import { actOnChange } from './act-on-change'
import { approveChange } from './approve-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { setTerms } from './set-terms'
import { createChangeWorld } from './testing/change-world'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const world = createChangeWorld({ hostCount: 12 })
const ANNA: Actor = { kind: 'user', name: 'anna@Default', roles: ['admin'] }
const BEN: Actor = { kind: 'user', name: 'ben@Default', roles: ['admin'] }
const FREE = { needsApproval: false, window: null, batchHosts: null }
const HOUR = 3_600_000

const onePerHost = (gpus: readonly ChangeTarget[]): ChangeTarget[] => [
  ...new Map(gpus.map((gpu) => [gpu.host, gpu])).values(),
]

let rules = 0
const plan = async ({ approvesChanges = false, isWide = false } = {}): Promise<ChangeDetail> =>
  createChange(
    { ...world.ctx(ANNA), approvesChanges },
    {
      cloud: world.cloud().name,
      kind: 'traits',
      gpus: isWide ? onePerHost(await world.taggable(1000)) : await world.taggable(1),
      rule: `CUSTOM_TERMS${++rules}_{type}`,
    },
  )

const again = ({ id }: { id: number }) => getChange(world.ctx(ANNA), { id })
const bind = async (change: { id: number }, terms: Partial<Parameters<typeof setTerms>[1]['body']>) =>
  setTerms(world.ctx(ANNA), {
    id: change.id,
    body: { ...FREE, ...terms, version: (await again(change)).version },
  })
/** Each read of the clock is later than the one before. */
let ticks = 0
const tick = () => new Date(now() + ticks++)

const act = async (change: { id: number }, action: 'start' | 'go-on' | 'roll-back' | 'stop', actor = ANNA) =>
  actOnChange(
    { ...world.ctx(actor), now: tick },
    {
      id: change.id,
      body: { action, version: (await again(change)).version },
    },
  )
const approve = async (change: { id: number }, actor: Actor) =>
  approveChange(world.ctx(actor), { id: change.id, body: { version: (await again(change)).version } })
const takeBack = async (change: { id: number }) => {
  await act(change, 'roll-back')
  await world.run(change.id)
}

const now = (): number => world.ctx().now().getTime()
const windowOf = (from: number, until: number) => ({
  from: new Date(now() + from * HOUR).toISOString(),
  until: new Date(now() + until * HOUR).toISOString(),
})

test('a change that needs approval starts only with the word of a second person', async () => {
  const change = await plan()
  await bind(change, { needsApproval: true })
  await expect(act(change, 'start')).rejects.toThrow(/approval of a second person/)
  await expect(approve(change, ANNA)).rejects.toThrow(/You planned this change/)
  await expect(approve(change, READER)).rejects.toThrow(/approve a change/)
  expect(await approve(change, BEN)).toMatchObject({ approvedBy: 'user:ben@Default', lastAction: 'approve' })
  expect(await act(change, 'start')).toMatchObject({ state: 'running' })
  await world.run(change.id)
  expect(await again(change)).toMatchObject({ state: 'done' })
  await takeBack(change)
})

test('who planned by an API token approves nothing as a person', async () => {
  const account = {
    cloud: world.cloud().name,
    userId: 'anna',
    userName: 'anna',
    userDomain: 'Default',
    scope: { kind: 'system' as const },
  }
  const token = { kind: 'api-token' as const, apiTokenId: 7, access: 'write' as const }
  const script = world.ctx({ ...ANNA, account: { ...account, source: token } } as Actor)
  const change = await createChange(script, {
    cloud: world.cloud().name,
    kind: 'traits',
    gpus: await world.taggable(1),
    rule: `CUSTOM_TERMS${++rules}_{type}`,
  })
  await bind(change, { needsApproval: true })
  await expect(approve(change, ANNA)).rejects.toMatchObject({
    code: 'precondition',
    message: 'You planned this change, so a second person must approve it.',
  })
  expect((await again(change)).state).toBe('planned')
  await approve(change, BEN)
})

test('an approval is of what was seen: new terms take it back, an old version approves nothing', async () => {
  const change = await plan()
  const bound = await bind(change, { needsApproval: true })
  await bind(change, { needsApproval: true, batchHosts: 1 })
  await expect(
    approveChange(world.ctx(BEN), { id: change.id, body: { version: bound.version } }),
  ).rejects.toThrow(/Set the policy/)
  await approve(change, BEN)
  expect(await bind(change, { needsApproval: true })).toMatchObject({ approvedBy: null })
  await expect(act(change, 'start')).rejects.toThrow(/approval/)
})

test('a console that always requires a second person does not allow to disable that', async () => {
  const change = await plan({ approvesChanges: true })
  expect(change).toMatchObject({ needsApproval: true, approvedBy: null })
  const strict = { ...world.ctx(ANNA), approvesChanges: true }
  await expect(setTerms(strict, { id: change.id, body: { ...FREE, version: 1 } })).rejects.toThrow(
    /SLICEBOARD_CHANGE_APPROVAL/,
  )
})

test('before its window a change waits, within it goes, and behind it stops until another is set', async () => {
  const before = await world.snapshot()
  const change = await plan()
  await bind(change, { window: windowOf(1, 3) })
  await act(change, 'start')
  await world.run(change.id)
  const waiting = await again(change)
  expect(waiting.steps[0]).toMatchObject({ state: 'waiting', note: expect.stringMatching(/opens at/) })
  expect(await world.snapshot()).toEqual(before)

  await world.run(change.id, { now: () => new Date(now() + 4 * HOUR) })
  expect(await again(change)).toMatchObject({
    state: 'stopped',
    stopReason: expect.stringMatching(/closed at/),
  })
  expect(await world.snapshot()).toEqual(before)

  await bind(change, { window: windowOf(-2, -1) })
  await expect(act(change, 'go-on')).rejects.toThrow(/closed at .*\. Set another window/)
  await bind(change, { window: windowOf(-1, 1) })
  await act(change, 'go-on')
  await world.run(change.id)
  expect(await again(change)).toMatchObject({ state: 'done' })
  await takeBack(change)
  expect(await world.snapshot()).toEqual(before)
})

test('a roll back waits for no window', async () => {
  const before = await world.snapshot()
  const change = await plan()
  await act(change, 'start')
  await world.run(change.id)
  await act(change, 'roll-back')
  await act(change, 'stop')
  await bind(change, { window: windowOf(1, 2) })
  await takeBack(change)
  expect(await again(change)).toMatchObject({ state: 'undone' })
  expect(await world.snapshot()).toEqual(before)
})

test('a change of many hosts stops after each batch until a person resumes it', async () => {
  const change = await plan({ isWide: true })
  const hosts = new Set(change.preview.targets.map(({ host }) => host))
  expect(hosts.size).toBeGreaterThan(1)
  await bind(change, { batchHosts: 1 })
  await act(change, 'start')
  let stops = 0
  for (;;) {
    await world.run(change.id, { now: tick })
    const at = await again(change)
    if (at.state === 'done') break
    stops += 1
    expect(at).toMatchObject({
      state: 'stopped',
      stopReason: `Batch ${stops} of ${hosts.size} is done. Check its hosts, then select Resume.`,
    })
    await act(change, 'go-on')
  }
  expect(stops).toBe(hosts.size - 1)
  await takeBack(change)
})

test('what is no window or no batch is refused by name', async () => {
  const change = await plan()
  await expect(bind(change, { window: windowOf(2, 1) })).rejects.toThrow(
    /window\.until.*must end after it begins/,
  )
  await expect(bind(change, { batchHosts: 0 })).rejects.toThrow(/batchHosts/)
})

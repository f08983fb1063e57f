import { rmSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import { stepInHand } from '@/lib/domain/plans/step-in-hand'
import type { CommandName } from '@/lib/schemas/agent/command'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { makeMdev } from '@/simulator/host/change-vgpus'
import { configuredType } from '@/simulator/host/host-lookup'
import { createHands, type Hands } from '@/simulator/testing/hands/hands'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { getRunbook } from './get-runbook'
import { listChanges } from './list-changes'
import { createChangeWorld } from './testing/change-world'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 })

/** In the demo its agent allows nothing; what leaves it has room on the other. */
const [BUSY, OTHER] = ['cmp-r2-06', 'cmp-r2-05']
/** Long enough that a second start of nova-compute is another one. */
const PAUSE_MS = 30_000
/** Checks within which a step must be done if it does not wait for a person. */
const MAX_LOOKS = 12

/** What the hosts' agents allow; a test may change it as one changes agent.toml. */
const allowed: CommandName[] = []

const world = createChangeWorld({
  allow: allowed,
  fleetOf: (fleet) =>
    fleet
      .filter(({ spec }) => [BUSY, OTHER].includes(spec.name))
      .map((host) => ({ ...host, story: { kind: 'still' } })),
})
const folder = makeTemporaryDirectory('by-hand-')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const again = (id: number) => getChange(world.ctx(), { id })

const act = (
  { id, version }: Pick<ChangeDetail, 'id' | 'version'>,
  action: 'start' | 'roll-back' | 'stop' | 'go-on',
  isByHand?: boolean,
) =>
  actOnChange(world.ctx(), {
    id,
    body: { action, version, ...(isByHand === undefined ? {} : { isByHand }) },
  })

const lookAgain = async (id: number): Promise<ChangeDetail> => {
  world.openstack().world.advance(PAUSE_MS)
  world.openstack().controls.refresh()
  await world.readAgain()
  await world.run(id)
  return again(id)
}

const troubleOf = async (id: number): Promise<string | null | undefined> =>
  (await listChanges(world.ctx(), { cloud: world.cloud().name })).changes.find((change) => change.id === id)
    ?.trouble

/** Performs what the page shows, step by step, once each; the console must detect everything else. */
const perform = async (hands: Hands, id: number): Promise<string[]> => {
  const { text } = await getRunbook(world.ctx(), { id, format: 'sh' })
  const performed: string[] = []
  let change = await lookAgain(id)
  for (let step = stepInHand(change); step !== undefined; step = stepInHand(change)) {
    const { title, isUndo, command, undoCommand, position } = step
    expect(await troubleOf(id), 'the list has the same step').toBe(step.note)
    performed.push(title)
    await hands.run(text, isUndo ? undoCommand : command)
    const isTicked = () => {
      const now = change.steps[position]
      return isUndo ? now?.state === 'undone' : now?.state === 'done'
    }
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      change = await lookAgain(id)
      if (isTicked()) break
    }
    const { state, note } = change.steps[position] ?? {}
    if (!isTicked()) throw new Error(`"${title}" was done by hand, and the console reports ${state}: ${note}`)
  }
  return performed
}

const totalsOf = () =>
  [...world.openstack().cloud.placement.providers.values()]
    .filter(({ name }) => name.startsWith(`${BUSY}_pci_`))
    .map(({ inventories, traits }) => ({
      total: inventories.get('VGPU')?.total,
      traits: [...traits].filter((trait) => trait.startsWith('CUSTOM_')),
    }))

const QUEUED = 'SELECT 1 FROM agent_command LIMIT 1'

/** Servers that move one by one take most of it: the short form has the other ways by hand. */
const inLongForm = test.skipIf(process.env.SLICEBOARD_LONG !== '1')

inLongForm(
  'a busy host whose agent allows nothing is changed by the shown commands alone, and rolled back',
  async () => {
    const hands = await createHands({ openstack: world.openstack(), folder })
    const living = world.living(BUSY)
    const addresses = living.spec().gpus.map(({ address }) => address)
    const servers = living.spec().guests.length
    const before = totalsOf()
    expect(servers).toBeGreaterThan(0)
    const planned = await createChange(world.ctx(), {
      cloud: world.cloud().name,
      kind: 'type',
      gpus: { host: BUSY },
      typeId: 'nvidia-320',
      resourceClass: null,
      isFlavorLossAccepted: true,
    })
    expect(planned.steps.some(({ doer }) => doer === 'agent')).toBe(false)
    await act(planned, 'start', true)
    const performed = await perform(hands, planned.id)
    expect((await again(planned.id)).state).toBe('done')
    expect(performed.filter((title) => /migrate/.test(title))).toHaveLength(servers)
    expect(living.spec().guests).toEqual([])
    expect(addresses.map((address) => configuredType(living.spec(), address))).toEqual(
      addresses.map(() => 'nvidia-320'),
    )
    expect(totalsOf()).toEqual(addresses.map(() => ({ total: 2, traits: ['CUSTOM_GRID_T4_8C'] })))

    await act(await again(planned.id), 'roll-back')
    await perform(hands, planned.id)
    expect((await again(planned.id)).state).toBe('undone')
    expect(totalsOf()).toEqual(before)
    const [compute] = world.openstack().cloud.nova.computes.filter(({ host }) => host === BUSY)
    expect(compute).toMatchObject({ isDisabled: false, disabledReason: null })
    expect(await world.ctx().database.query(QUEUED)).toEqual([])
  },
)

test('the agent continues where a person began, and a person where its host allows no more', async () => {
  const hands = await createHands({ openstack: world.openstack(), folder })
  const living = world.living(BUSY)
  const address = living.spec().gpus[0]?.address ?? ''
  const uuids = [0, 1].map((index) => `bbbbbbbb-0000-4000-8000-00000000000${index}`)
  for (const uuid of uuids)
    living.attempt(makeMdev(living.spec(), { slot: address, typeId: 'nvidia-319', uuid }))
  allowed.push('remove-mdev', 'write-nova-config', 'restart-nova-compute')
  await world.readAgain()
  const planned = await createChange(world.ctx(), {
    cloud: world.cloud().name,
    kind: 'type',
    gpus: [{ host: BUSY, address }],
    typeId: 'nvidia-320',
    resourceClass: null,
    isFlavorLossAccepted: true,
  })
  const { text } = await getRunbook(world.ctx(), { id: planned.id, format: 'sh' })
  const [first] = planned.steps.filter(({ id }) => id.startsWith('remove-mdev/'))
  expect(first?.doer).toBe('agent')
  // Before anybody presses Start: what holds already is ticked off.
  await hands.run(text, first?.command ?? '')
  await world.readAgain()
  await act(planned, 'start')
  allowed.splice(0, allowed.length, 'remove-mdev')
  await world.readAgain()
  await world.run(planned.id)
  const stuck = await again(planned.id)
  const wayOf = (change: ChangeDetail, kind: string) =>
    change.steps.filter(({ id }) => id.startsWith(`${kind}/`)).map(({ state, answer }) => [state, answer])
  expect(wayOf(stuck, 'remove-mdev')).toEqual([
    ['done', expect.stringContaining('no longer has the mdev')],
    ['done', expect.stringContaining('was removed')],
  ])
  const inHand = stepInHand(stuck)
  expect(inHand).toMatchObject({ id: `write-config/${BUSY}`, state: 'waiting' })
  await hands.run(text, inHand?.command ?? '')
  allowed.push('restart-nova-compute')
  for (let looks = 0; looks < MAX_LOOKS && (await lookAgain(planned.id)).state !== 'done'; looks++);
  const done = await again(planned.id)
  expect(done.state).toBe('done')
  expect(wayOf(done, 'restart-nova/on')).toEqual([['done', expect.stringContaining('active')]])
  expect(configuredType(living.spec(), address)).toBe('nvidia-320')
})

test('all commands of the script between two looks are seen as done, and as reverted', async () => {
  const hands = await createHands({ openstack: world.openstack(), folder })
  allowed.length = 0
  const living = world.living(BUSY)
  const [, gpu] = living.spec().gpus
  const address = gpu?.address ?? ''
  const before = configuredType(living.spec(), address)
  world.openstack().world.advance(PAUSE_MS)
  await world.readAgain()
  const planned = await createChange(world.ctx(), {
    cloud: world.cloud().name,
    kind: 'type',
    gpus: [{ host: BUSY, address }],
    typeId: 'nvidia-320',
    resourceClass: null,
    isFlavorLossAccepted: true,
  })
  expect(planned.steps.map(({ id }) => id)).toContain(`close-service/${BUSY}`)
  const lookUntil = async (state: ChangeDetail['state']): Promise<ChangeDetail> => {
    let change = await lookAgain(planned.id)
    for (let looks = 0; looks < MAX_LOOKS && change.state !== state; looks++)
      change = await lookAgain(planned.id)
    return change
  }
  const { text } = await getRunbook(world.ctx(), { id: planned.id, format: 'sh' })
  await act(planned, 'start', true)
  await lookAgain(planned.id)
  for (const { command } of planned.steps) await hands.run(text, command)
  expect(await lookUntil('done')).toMatchObject({ state: 'done' })
  expect(configuredType(living.spec(), address)).toBe('nvidia-320')

  await act(await again(planned.id), 'roll-back')
  await lookAgain(planned.id)
  for (const { undoCommand } of planned.steps.toReversed()) await hands.run(text, undoCommand)
  expect(await lookUntil('undone')).toMatchObject({ state: 'undone' })
  expect(configuredType(living.spec(), address)).toBe(before)
})

test('provider config is written by the shown commands, keeps a trait, and is reverted', async () => {
  const hands = await createHands({ openstack: world.openstack(), folder })
  allowed.length = 0
  const living = world.living(OTHER)
  const [gpu] = living.spec().gpus
  world.openstack().world.advance(PAUSE_MS)
  await world.readAgain()
  const planned = await createChange(world.ctx(), {
    cloud: world.cloud().name,
    kind: 'traits',
    gpus: [{ host: OTHER, address: gpu?.address ?? '' }],
    rule: 'CUSTOM_HAND_{type}',
    providerConfig: 'write',
  })
  expect(planned.steps.map(({ id }) => id)).toContain(`write-provider-config/${OTHER}`)
  const lookUntil = async (state: ChangeDetail['state']): Promise<ChangeDetail> => {
    let change = await lookAgain(planned.id)
    for (let looks = 0; looks < MAX_LOOKS && change.state !== state; looks++)
      change = await lookAgain(planned.id)
    return change
  }
  const { text } = await getRunbook(world.ctx(), { id: planned.id, format: 'sh' })
  await act(planned, 'start', true)
  await lookAgain(planned.id)
  for (const { command } of planned.steps) await hands.run(text, command)
  expect(await lookUntil('done')).toMatchObject({ state: 'done' })
  const [entry] =
    living
      .spec()
      .nova.providerTraits?.filter(({ traits }) =>
        traits.some((trait) => trait.startsWith('CUSTOM_HAND_')),
      ) ?? []
  expect(entry).toBeDefined()
  // Nova recreates the provider: only its nova-compute sets the trait.
  const carried = () =>
    [...world.openstack().cloud.placement.providers.values()]
      .find(({ name }) => name === entry?.provider)
      ?.traits.has(entry?.traits.find((trait) => trait.startsWith('CUSTOM_HAND_')) ?? '')
  const provider = [...world.openstack().cloud.placement.providers.values()].find(
    ({ name }) => name === entry?.provider,
  )
  provider?.traits.clear()
  world.openstack().controls.refresh()
  expect(carried()).toBe(true)

  await act(await again(planned.id), 'roll-back')
  await lookAgain(planned.id)
  for (const { undoCommand } of planned.steps.toReversed()) await hands.run(text, undoCommand)
  expect(await lookUntil('undone')).toMatchObject({ state: 'undone' })
  expect(living.spec().nova.providerTraits ?? []).toEqual([])
  expect(carried()).toBe(false)
})

import { expect, test, vi } from 'vitest'
import type { PlacementClient } from '@/lib/openstack/placement/types'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { Actor, ServiceContext } from '@/lib/server/context/service-context'
import { READER, TENANT } from '@/lib/services/testing/service-world'
import { createRandom } from '@/simulator/random/random'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { listChanges } from './list-changes'
import { previewChange } from './preview-change'
import { SignInEnded } from './sign-in-ended'
import { createChangeWorld } from './testing/change-world'
import type { AdvanceInput } from './turn'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 })

const world = createChangeWorld()
const ANNA: Actor = { kind: 'user', name: 'anna@Default', roles: ['admin'] }
const BEN: Actor = { kind: 'user', name: 'ben@Default', roles: ['admin'] }

let rules = 0
const plan = async (count = 1, ctx: ServiceContext = world.ctx()): Promise<ChangeDetail> =>
  createChange(ctx, {
    cloud: world.cloud().name,
    kind: 'traits',
    gpus: await world.taggable(count),
    rule: `CUSTOM_RACE${++rules}_{type}`,
  })

const act = (
  { id, version }: Pick<ChangeDetail, 'id' | 'version'>,
  action: 'start' | 'stop' | 'go-on' | 'roll-back' | 'drop',
  { actor, isByHand = false }: { actor?: Actor; isByHand?: boolean } = {},
) =>
  actOnChange(world.ctx(actor), {
    id,
    body: { action, version, ...(action === 'start' ? { isByHand } : {}) },
  })

const again = (id: number) => getChange(world.ctx(), { id })

const takeBack = async (id: number) => {
  await act(await again(id), 'roll-back')
  await world.run(id)
  return again(id)
}

const lastStep = ({ steps }: ChangeDetail) => {
  const step = steps.at(-1)
  if (step === undefined) throw new Error('the plan has no steps')
  return step
}

/** The provider that the last step is about, by its name. */
const providerOf = async (change: ChangeDetail) => {
  const name = lastStep(change).id.replace('set-traits/', '')
  const [provider] = await world.placement().listProviders({ name })
  if (provider === undefined) throw new Error(`no provider ${name}`)
  return provider
}

const addForeign = async (uuid: string, trait: string, placement: PlacementClient = world.placement()) => {
  await placement.createTrait(trait)
  const { generation, traits } = await placement.getTraits(uuid)
  await placement.putTraits(uuid, { generation, traits: [...traits, trait] })
}

const dropForeign = async (uuid: string, trait: string) => {
  const placement = world.placement()
  const { generation, traits } = await placement.getTraits(uuid)
  await placement.putTraits(uuid, { generation, traits: traits.filter((one) => one !== trait) })
  await placement.deleteTrait(trait)
}

/** Another client writes before the n-th write of traits. `isCareless`: the writer keeps what it read at first. */
const disturbed = (
  { at, uuid, trait }: { at: number; uuid: string; trait: string },
  { isCareless = false } = {},
): AdvanceInput['toolsOf'] => {
  const next = world.toolsOf()
  let writes = 0
  const first = new Map<string, readonly string[]>()
  return async (change) => {
    const tools = await next(change)
    const { placement } = tools
    return {
      ...tools,
      placement: {
        ...placement,
        getTraits: async (id) => {
          const now = await placement.getTraits(id)
          if (!first.has(id)) first.set(id, now.traits)
          return isCareless && writes > at ? { ...now, traits: first.get(id) ?? [] } : now
        },
        putTraits: async (id, input) => {
          if (writes++ === at) await addForeign(uuid, trait, placement)
          return placement.putTraits(id, input)
        },
      },
    }
  }
}

test('a foreign trait that comes between reading and writing is never lost, on the way and on the way back', async () => {
  const before = await world.snapshot()
  const random = createRandom(41)
  for (let round = 0; round < 25; round++) {
    const change = await plan(2)
    const { uuid } = await providerOf(change)
    const trait = `CUSTOM_FOREIGN_${round}`
    const at = random.between(0, 2)
    await act(change, 'start')
    await world.run(change.id, { toolsOf: disturbed({ at, uuid, trait }) })
    expect((await again(change.id)).state).toBe('done')
    if (at < 2) expect((await world.placement().getTraits(uuid)).traits).toContain(trait)
    await act(await again(change.id), 'roll-back')
    await world.run(change.id, { toolsOf: disturbed({ at: random.between(0, 1), uuid, trait }) })
    expect((await world.placement().getTraits(uuid)).traits).toContain(trait)
    await dropForeign(uuid, trait)
  }
  expect(await world.snapshot()).toEqual(before)
})

test('control: a client that writes what it read long ago loses the trait, and it is seen', async () => {
  const change = await plan()
  const { uuid } = await providerOf(change)
  await act(change, 'start')
  const trait = 'CUSTOM_FOREIGN_CONTROL'
  await world.run(change.id, { toolsOf: disturbed({ at: 0, uuid, trait }, { isCareless: true }) })
  expect((await world.placement().getTraits(uuid)).traits).not.toContain(trait)
  await takeBack(change.id)
})

const traitOf = (change: ChangeDetail): string => /^Add (\S+) to/.exec(lastStep(change).title)?.[1] ?? ''

const traitsNow = async (change: ChangeDetail) =>
  (await world.placement().getTraits((await providerOf(change)).uuid)).traits

/** Runs, and reads hosts and cloud in between, until the change is over. */
const follow = async (id: number, toolsOf: AdvanceInput['toolsOf'] = world.toolsOf()) => {
  for (let round = 0; round < 6; round++) {
    if ((await world.run(id, { toolsOf })) === 'over') break
    await world.readAgain()
  }
  return again(id)
}

test('a provider that Nova re-created waits until its host has reported its type, and then gets its trait', async () => {
  const change = await plan(2)
  const { name, uuid } = await providerOf(change)
  world.openstack().controls.recreateProvider({ provider: name })
  await act(change, 'start')
  expect(await world.run(change.id)).toBe('resting')
  expect(lastStep(await again(change.id))).toMatchObject({
    state: 'waiting',
    note: expect.stringContaining(`Nova re-created ${name}: its UUID was ${uuid} at planning`),
    wayOut: expect.stringContaining('Expected within 2 minutes.'),
  })
  expect(await traitsNow(change)).toEqual([])
  await world.readAgain()
  await world.run(change.id)
  expect((await again(change.id)).state).toBe('done')
  expect(await traitsNow(change)).toEqual([traitOf(change)])
  expect((await takeBack(change.id)).state).toBe('undone')
  expect(await traitsNow(change)).toEqual([])
  await world.readAgain()
})

test('a manual change needs another plan after Nova recreated a provider, because the command names the old one', async () => {
  const change = await plan(2)
  const { name } = await providerOf(change)
  await act(change, 'start', { isByHand: true })
  world.openstack().controls.recreateProvider({ provider: name })
  await world.readAgain()
  await world.run(change.id)
  expect(lastStep(await again(change.id))).toMatchObject({
    state: 'blocked',
    wayOut: expect.stringContaining('Plan again'),
  })
  const stopped = await act(await again(change.id), 'stop')
  await act(stopped, 'drop')
})

/** Nova recreates a provider right before one of the calls to Placement that concern it. */
const recreatedBefore = (call: number, provider: string) => {
  const next = world.toolsOf()
  let calls = 0
  const toolsOf: AdvanceInput['toolsOf'] = async (change) => {
    const tools = await next(change)
    const placement = new Proxy(tools.placement, {
      get: (target, property, receiver) => {
        const method: unknown = Reflect.get(target, property, receiver)
        if (typeof method !== 'function') return method
        return (...args: unknown[]) => {
          const { names } = world.openstack().cloud.placement
          const logged = JSON.stringify(args)
          const isAbout = logged.includes(provider) || logged.includes(names.get(provider) ?? provider)
          if (isAbout && calls++ === call) world.openstack().controls.recreateProvider({ provider })
          return method.apply(target, args) as unknown
        }
      },
    })
    return { ...tools, placement }
  }
  return { toolsOf, isOver: () => calls <= call }
}

test('a provider that Nova recreates between any two calls stops nothing, on the way and on the way back', async () => {
  let isOver = false
  for (let call = 0; !isOver; call++) {
    const change = await plan(2)
    const { name } = await providerOf(change)
    const forth = recreatedBefore(call, name)
    await act(change, 'start')
    expect(await follow(change.id, forth.toolsOf), `call ${call}`).toMatchObject({ state: 'done' })
    // Nothing detects the loss after the last check of the step.
    const isStored = (await traitsNow(change)).includes(traitOf(change))
    const trail = (await again(change.id)).steps.map(({ state }) => state)
    expect(trail.every((state) => state === 'done')).toBe(true)
    if (!isStored) expect(forth.isOver()).toBe(false)
    const back = recreatedBefore(call, name)
    await act(await again(change.id), 'roll-back')
    expect(await follow(change.id, back.toolsOf), `call ${call} back`).toMatchObject({ state: 'undone' })
    expect(await traitsNow(change)).not.toContain(traitOf(change))
    await world.readAgain()
    isOver = forth.isOver() && back.isOver()
  }
})

test('a trait of another type that was added since the plan blocks, with the difference', async () => {
  const change = await plan()
  const { name, uuid } = await providerOf(change)
  const { traits } = await world.placement().getTraits(uuid)
  const other = world.openstack().cloud.placement
  const task = (await world.ctx().database.prisma.changeStep.findFirst({
    where: { changeId: change.id, position: lastStep(change).position },
  })) as { body: { task: { otherTypes: string[] } } } | null
  const wrong = task?.body.task.otherTypes[0] ?? ''
  other.customTraits.add(wrong)
  world.openstack().controls.setTrait({ provider: name, value: wrong })
  await act(change, 'start')
  expect(await world.run(change.id)).toBe('resting')
  expect(lastStep(await again(change.id)).note).toContain(`to ${wrong}`)
  expect((await takeBack(change.id)).state).toBe('undone')
  const { generation } = await world.placement().getTraits(uuid)
  await world.placement().putTraits(uuid, { generation, traits })
})

test('if two people act on the same version, one succeeds and the other gets the name of the first', async () => {
  const change = await plan()
  const outcomes = await Promise.allSettled([
    act(change, 'start', { actor: ANNA }),
    act(change, 'drop', { actor: BEN }),
  ])
  const [won] = outcomes.filter(({ status }) => status === 'fulfilled')
  const [lost] = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const winner = outcomes.indexOf(won as (typeof outcomes)[number]) === 0 ? 'anna@Default' : 'ben@Default'
  expect(lost?.reason).toMatchObject({ code: 'conflict', message: expect.stringContaining(winner) })
  const now = await again(change.id)
  if (now.state === 'running') {
    await world.run(change.id)
    await takeBack(change.id)
  }
})

test('a pGPU is held by one active change, and freed when that has ended', async () => {
  const [first, second] = [await plan(1, world.ctx(ANNA)), await plan()]
  await act(first, 'start', { actor: ANNA })
  await expect(act(second, 'start')).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(new RegExp(`held by change ${first.id} of anna@Default\\.`)),
  })
  await world.run(first.id)
  await act(second, 'start')
  await expect(act(await again(first.id), 'roll-back')).rejects.toMatchObject({ code: 'conflict' })
  await world.run(second.id)
  expect((await takeBack(second.id)).state).toBe('undone')
  expect((await takeBack(first.id)).state).toBe('undone')
})

test('stopped, nothing is called; by hand, the console ticks off what it sees', async () => {
  const before = await world.snapshot()
  const change = await plan()
  await act(change, 'start')
  const stopped = await act(await again(change.id), 'stop')
  expect(await world.run(change.id)).toBe('over')
  expect(await world.snapshot()).toEqual(before)
  await act(stopped, 'drop')

  const byHand = await plan()
  await act(byHand, 'start', { isByHand: true })
  expect(await world.run(byHand.id)).toBe('resting')
  expect(await world.snapshot()).toEqual(before)
  const { steps } = await again(byHand.id)
  expect(steps[0]).toMatchObject({
    state: 'waiting',
    wayOut: expect.stringContaining('openstack trait create'),
  })
  const trait = steps[0]?.id.replace('create-trait/', '') ?? ''
  const { uuid } = await providerOf(byHand)
  await addForeign(uuid, trait)
  await world.run(byHand.id)
  expect((await again(byHand.id)).state).toBe('done')
  await act(await again(byHand.id), 'roll-back')
  expect(await world.run(byHand.id)).toBe('resting')
  await dropForeign(uuid, trait)
  await world.run(byHand.id)
  expect((await again(byHand.id)).state).toBe('undone')
  expect(await world.snapshot()).toEqual(before)
})

test('readers look and preview, tenants do neither, and only an admin plans and runs', async () => {
  const change = await plan()
  const input = {
    cloud: world.cloud().name,
    kind: 'traits' as const,
    gpus: await world.taggable(1),
    rule: 'CUSTOM_LOOK_{type}',
  }
  const reader = world.ctx(READER)
  expect((await previewChange(reader, input)).steps).toHaveLength(2)
  expect((await listChanges(reader, { cloud: world.cloud().name })).changes.map(({ id }) => id)).toContain(
    change.id,
  )
  await expect(createChange(reader, input)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(act(change, 'start', { actor: READER })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(previewChange(world.ctx(TENANT), input)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(getChange(world.ctx(TENANT), { id: change.id })).rejects.toMatchObject({ code: 'forbidden' })
  expect((await again(change.id)).state).toBe('planned')
})

test('every transition is an audit row with who, before and after', async () => {
  const change = await plan(1, world.ctx(ANNA))
  await act(change, 'start', { actor: ANNA })
  await world.run(change.id)
  const rows = await world.ctx().database.prisma.auditEntry.findMany({
    where: { subject: { startsWith: `change:${change.id}` } },
    orderBy: { id: 'asc' },
  })
  const own = rows.filter(({ subject }) => new RegExp(`^change:${change.id}(/|$)`).test(subject))
  expect(own.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
    'user:anna@Default change.plan',
    'user:anna@Default change.start',
    'user:anna@Default change.step.begin',
    'user:anna@Default change.step.happened',
    'user:anna@Default change.step.begin',
    'user:anna@Default change.step.happened',
    'user:anna@Default change.finish',
  ])
  await takeBack(change.id)
})

test('without the sign-in of the person who started it, a change stops and states this, and another admin can resume it', async () => {
  const change = await plan()
  await act(change, 'start', { actor: ANNA })
  const ended = async () => {
    throw new SignInEnded('The sign-in of anna@Default has ended, and the change runs with it.')
  }
  expect(await world.run(change.id, { toolsOf: ended })).toBe('over')
  const stopped = await again(change.id)
  expect(stopped).toMatchObject({
    state: 'stopped',
    stopReason: expect.stringContaining('anna@Default has ended'),
  })
  expect(stopped.steps[0]).toMatchObject({ state: 'waiting', wayOut: expect.stringContaining('Resume') })
  await act(stopped, 'go-on', { actor: BEN })
  await world.run(change.id)
  expect(await again(change.id)).toMatchObject({ state: 'done', runBy: 'user:ben@Default', stopReason: null })
  await takeBack(change.id)
})

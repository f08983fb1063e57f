import { beforeAll, describe, expect, test, vi } from 'vitest'
import { OpenStackError } from '@/lib/openstack/openstack-error'
import { COMMAND_NAMES } from '@/lib/schemas/agent/command'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import type { StepTools } from './step-handlers/step-work'
import { createChangeWorld } from './testing/change-world'
import { RETYPED, stepHosts } from './testing/step-hosts'
import { createStepInputs, prepareStepCloud, type StepVariant } from './testing/step-inputs'
import type { Mishap } from './testing/test-agents'
import { TEST_FLAVOR } from './testing/test-flavor'
import type { CrashPoint } from './turn'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 })

/** Every step of every kind of change × everything that may go wrong: a new step needs no new test. */
const world = createChangeWorld({
  allow: COMMAND_NAMES,
  flavors: [TEST_FLAVOR],
  fleetOf: stepHosts,
})

const INPUTS = createStepInputs(world)

/** So that a change of the type has what the console keeps to move along. */
const keepTrait = async (): Promise<void> => {
  const { id, version } = await createChange(world.ctx(), {
    cloud: world.cloud().name,
    kind: 'traits',
    gpus: [{ host: RETYPED, address: world.living(RETYPED).spec().gpus[0]?.address ?? '' }],
    rule: 'CUSTOM_GRID_{type}',
    isManaged: true,
  })
  await act({ id, version }, 'start')
  await world.run(id)
  expect((await world.snapshot()).managed).toHaveLength(1)
}

beforeAll(async () => {
  prepareStepCloud(world)
  await world.readAgain()
  await keepTrait()
})

const isLong = process.env.SLICEBOARD_LONG === '1' || process.env.SLICEBOARD_STEPS === 'all'
const isOnPostgres = Boolean(process.env.TEST_DATABASE_URL)

const KINDS = Object.keys(INPUTS) as StepVariant[]

/** The shortest plans. They run on PostgreSQL, because they are enough to show faults of the database. */
const SHORTEST: readonly StepVariant[] = ['traits', 'orphans']

/** The long form runs all plans through all that may happen, on PGlite; the short one only the shortest, on PostgreSQL. */
const inLongForm = (kind: StepVariant) => test.skipIf(isOnPostgres ? !SHORTEST.includes(kind) : !isLong)

/** Of these the short form loses the answer of each write alone: a crash after it asks the same of a step. */
const OTHER_FORMS: readonly StepVariant[] = [
  'traits (out of provider config)',
  'passthrough (back)',
  'passthrough (of VFs)',
  'passthrough (back to VFs)',
  'flavor (of one that there is)',
  'fence (of an aggregate)',
]

type Snapshot = Awaited<ReturnType<typeof world.snapshot>>

const act = (change: Pick<ChangeDetail, 'id' | 'version'>, action: 'start' | 'go-on' | 'roll-back') =>
  actOnChange(world.ctx(), { id: change.id, body: { action, version: change.version } })

const again = (id: number) => getChange(world.ctx(), { id })

const begin = async (kind: StepVariant): Promise<ChangeDetail> => {
  const planned = await createChange(world.ctx(), await INPUTS[kind]())
  return act(planned, 'start')
}

const takeBack = async (id: number): Promise<void> => {
  await act(await again(id), 'roll-back')
  await world.run(id)
}

type Reached = Map<CrashPoint, Set<number>>

const noting =
  (reached: Reached) =>
  (point: CrashPoint, position: number): void => {
    reached.set(point, (reached.get(point) ?? new Set()).add(position))
  }

/** Crashes once at one point of each step; the same step then continues. */
const crashingAt = (wanted: CrashPoint) => {
  const crashed = new Set<number>()
  const onPoint = (point: CrashPoint, position: number) => {
    if (point !== wanted || crashed.has(position)) return
    crashed.add(position)
    throw new Error('crash')
  }
  return { crashed, onPoint }
}

const POINTS: readonly CrashPoint[] = ['before-intent', 'after-intent', 'after-effect', 'after-result']

const refusal = (status: number | null) =>
  new OpenStackError('Placement refuses it.', {
    kind: status === null ? 'timeout' : 'http',
    service: 'placement',
    cloud: 'test',
    status,
  })

type Write = { name: string; call: () => Promise<unknown> }

/** A client of which every call that is no question goes through `fail`. */
const writing = <Client extends object>(client: Client, fail: (write: Write) => Promise<unknown>): Client =>
  new Proxy(client, {
    get: (target, property, receiver) => {
      const method: unknown = Reflect.get(target, property, receiver)
      if (typeof method !== 'function' || /^(get|list|version|maxVersion)/.test(String(property)))
        return method
      return (...args: unknown[]) =>
        fail({
          name: `${String(property)} ${JSON.stringify(args)}`,
          call: () => method.apply(target, args) as Promise<unknown>,
        })
    },
  })

/** Every write fails once, to the cloud or by an agent: refused before it, or its answer lost on the way back. */
const failing = (how: 'refused' | 'answer-lost' | null) => {
  /** A call that two steps make in the same words fails at the first. */
  const called = new Set<string>()
  let commands = 0
  const failed = new Set<string>()
  let hasAgentFailed = false
  const next = world.toolsOf()
  const toolsOf = async (change: Parameters<typeof next>[0]): Promise<StepTools> => {
    const tools = await next(change)
    const fail = async ({ name, call }: Write): Promise<unknown> => {
      called.add(name)
      if (how === null || failed.has(name)) return call()
      failed.add(name)
      if (how === 'refused') throw refusal(403)
      await call()
      throw refusal(null)
    }
    return {
      ...tools,
      placement: writing(tools.placement, fail),
      nova: writing(tools.nova, fail),
      limits: writing(tools.limits, fail),
    }
  }
  /** What an agent failed to do or to report, it does or reports at the next request. */
  const mishap = (): Mishap => {
    if (!hasAgentFailed || how !== 'answer-lost') commands += 1
    hasAgentFailed = !hasAgentFailed
    return hasAgentFailed ? how : null
  }
  return { toolsOf, mishap, writes: () => called.size + commands }
}

/** Before the intent of a step is the same place as after the result of the one before. */
const MIDDLES = POINTS.slice(1)

/** Of the places of two steps one has its turn. */
const EVERY = 2 * MIDDLES.length

/**
 * Whether the plan is interrupted there and reverted. Each such run has its own plan, and all of them would take two
 * thirds of this file's time. So every other step has its turn, at one of the points, and different steps in each
 * plan. `SLICEBOARD_STEPS=all`, as `npm run test:steps` sets it, runs each step at each point.
 */
const isMiddle = (kind: StepVariant, step: number, point: CrashPoint): boolean =>
  process.env.SLICEBOARD_STEPS === 'all' ||
  (KINDS.indexOf(kind) + step + 2 * MIDDLES.indexOf(point)) % EVERY === 0

describe.each(KINDS)('a change of the kind %s', (kind) => {
  let before: Snapshot
  let after: Snapshot
  /** The steps that come to each place on the way to the end, and back; one that only looks makes no call. */
  const forth: Reached = new Map()
  const back: Reached = new Map()
  let writes = 0

  beforeAll(async () => {
    before = await world.snapshot()
    const { id, steps } = await begin(kind)
    const { toolsOf, mishap, writes: count } = failing(null)
    await world.run(id, { toolsOf, mishap, onPoint: noting(forth) })
    writes = count()
    expect(forth.get('after-result')?.size).toBe(steps.length)
    after = await world.snapshot()
    expect((await again(id)).state).toBe('done')
    expect(after).not.toEqual(before)
    await act(await again(id), 'roll-back')
    await world.run(id, { onPoint: noting(back) })
    expect((await again(id)).state).toBe('undone')
    expect(await world.snapshot()).toEqual(before)
  })

  const expectDone = async (id: number) => {
    expect(await again(id)).toMatchObject({ stopReason: null, state: 'done' })
    expect(await world.snapshot()).toEqual(after)
  }
  const expectUndone = async (id: number) => {
    expect((await again(id)).state).toBe('undone')
    expect(await world.snapshot()).toEqual(before)
  }
  /** To the end, in spite of everything that happened on the way, and back. */
  const expectRight = async (id: number) => {
    await expectDone(id)
    await takeBack(id)
    await expectUndone(id)
  }

  /** An effect without a record is the hardest case; the short form has all points in the shortest plans. */
  const ofCrash = (point: CrashPoint) =>
    point === 'after-effect' && !OTHER_FORMS.includes(kind) ? test : inLongForm(kind)

  for (const point of POINTS)
    ofCrash(point)(`continues after a crash ${point} of each step, and of each undo`, async () => {
      const { id } = await begin(kind)
      const onTheWay = crashingAt(point)
      await world.run(id, { onPoint: onTheWay.onPoint, broke: () => undefined })
      expect(onTheWay.crashed).toEqual(forth.get(point))
      await expectDone(id)
      await act(await again(id), 'roll-back')
      const onTheWayBack = crashingAt(point)
      await world.run(id, { onPoint: onTheWayBack.onPoint, broke: () => undefined })
      expect(onTheWayBack.crashed).toEqual(back.get(point))
      await expectUndone(id)
    })

  inLongForm(kind).each(MIDDLES)(
    'is reverted from the middle of each step after a crash %s',
    async (point) => {
      for (const step of [...(forth.get(point) ?? [])].filter((each) => isMiddle(kind, each, point))) {
        const { id } = await begin(kind)
        const died = new Error('died')
        const run = world.run(id, {
          onPoint: (reached, position) => {
            if (reached === point && position === step) throw died
          },
          broke: () => {
            throw died
          },
        })
        await expect(run, `step ${step}`).rejects.toBe(died)
        await takeBack(id)
        await expectUndone(id)
      }
    },
  )

  inLongForm(kind)('stops at a refusal of each write, reports it, and continues when requested', async () => {
    const { id } = await begin(kind)
    const failed = failing('refused')
    await world.run(id, failed)
    let stops = 0
    for (let now = await again(id); now.state !== 'done' && stops <= 2 * writes; now = await again(id)) {
      stops += 1
      expect(now).toMatchObject({
        state: 'stopped',
        stopReason: expect.stringMatching(/Placement refuses it\.|does not allow/),
      })
      expect(now.steps.filter(({ state }) => state === 'failed')).toHaveLength(1)
      await act(now, 'go-on')
      await world.run(id, failed)
    }
    // A refused test boot disables the host again, which needs its own writes.
    expect(stops).toBeGreaterThanOrEqual(writes)
    await expectRight(id)
  })

  test('sees what was done when the answer of each write was lost', async () => {
    const { id } = await begin(kind)
    const failed = failing('answer-lost')
    let rests = 0
    while ((await world.run(id, failed)) === 'resting' && rests <= writes) {
      rests += 1
      expect((await again(id)).steps.filter(({ state }) => state === 'waiting')).toHaveLength(1)
    }
    expect(rests).toBe(writes)
    await expectRight(id)
  })

  inLongForm(kind)('comes to the same end when two consoles run it at once', async () => {
    const { id } = await begin(kind)
    await Promise.all([world.run(id), world.run(id)])
    await world.run(id)
    await expectRight(id)
  })

  inLongForm(kind)('does nothing when it is run or reverted twice', async () => {
    const { id } = await begin(kind)
    await world.run(id)
    expect(await world.run(id)).toBe('over')
    await expectRight(id)
    expect(await world.run(id)).toBe('over')
    await expect(act(await again(id), 'roll-back')).rejects.toMatchObject({ code: 'conflict' })
    expect(await world.snapshot()).toEqual(before)
  })
})

import { beforeAll, describe, expect, test, vi } from 'vitest'
import { OpenStackError } from '@/lib/openstack/openstack-error'
import { COMMAND_NAMES } from '@/lib/schemas/agent/command'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { PlanChange, PlanPassthrough } from '@/lib/schemas/api/change-inputs'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { IMAGE_ID } from '@/simulator/openstack/nova/server-body'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { createChangeWorld } from './testing/change-world'
import { RETYPED, stepHosts, VFIO, WHOLE, WITH_VFS } from './testing/step-hosts'
import type { Mishap } from './testing/test-agents'
import { TEST_FLAVOR } from './testing/test-flavor'
import type { Place } from './turn'
import type { WorkTools } from './works/step-work'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 })

/** Every step of every kind of change × everything that may go wrong: a new step needs no new test. */
const world = createChangeWorld({
  allow: COMMAND_NAMES,
  flavors: [TEST_FLAVOR],
  fleetOf: stepHosts,
})

/** Of the type that the fenced host carries. */
const FENCED_TYPE = '_T4_4C'

/** One that the demo does not have: it is shared with single projects. */
const OWN_FLAVOR = 'vgpu.steps'

const projectIds = (): string[] => world.openstack().cloud.keystone.projects.map(({ id }) => id)

/** So that a change of the type has what the console keeps to move along. */
const keepTrait = async (): Promise<void> => {
  const { id, version } = await createChange(world.ctx(), {
    cloud: world.cloud().name,
    kind: 'traits',
    gpus: [{ host: RETYPED, address: world.living(RETYPED).spec().gpus[0]?.address ?? '' }],
    rule: 'CUSTOM_GRID_{type}',
    isKept: true,
  })
  await act({ id, version }, 'start')
  await world.run(id)
  expect((await world.snapshot()).kept).toHaveLength(1)
}

/** A default without a region and a limit of a project that refers to it. */
const leaveStrays = (): void => {
  const { controls, cloud } = world.openstack()
  controls.addNullRegion({ resource: 'class:VCPU', value: '16' })
  const { keystone } = cloud
  const stray = keystone.registeredLimits.find(({ regionId }) => regionId === null)
  const [like] = keystone.limits
  if (stray === undefined || like === undefined) throw new Error('the world has no limits')
  const { serviceId, resourceName } = stray
  keystone.limits.push({ ...like, id: 'stray', serviceId, resourceName, regionId: null, resourceLimit: 12 })
}

beforeAll(async () => {
  const [project = ''] = projectIds()
  const { flavors } = world.openstack().cloud.nova
  const [like] = flavors.filter(({ extraSpecs }) => extraSpecs['resources:VGPU'] !== undefined)
  if (like === undefined) throw new Error('the world has no flavor with a vGPU')
  flavors.push({
    ...like,
    id: 'steps',
    name: OWN_FLAVOR,
    isPublic: false,
    projectIds: [project],
    extraSpecs: { ...like.extraSpecs, gpu: 'true' },
  })
  // The first period of nova-compute since provider config was read.
  world.openstack().controls.refresh()
  leaveStrays()
  await world.readAgain()
  await keepTrait()
})

const projectId = (name: string): string =>
  world.openstack().cloud.keystone.projects.find((project) => project.name === name)?.id ?? ''

type Variant =
  | PlanChange['kind']
  | 'type-vfio'
  | 'traits (out of provider config)'
  | 'passthrough (back)'
  | 'passthrough (of VFs)'
  | 'passthrough (back to VFs)'
  | 'flavor (of one that there is)'
  | 'fence (of an aggregate)'

const passthroughOf = (host: string, card: number, to: PlanPassthrough['to']): PlanPassthrough => ({
  cloud: world.cloud().name,
  kind: 'passthrough',
  gpus: [{ host, address: world.living(host).spec().gpus[card]?.address ?? '' }],
  to,
  alias: null,
  isFlavorLossAccepted: true,
})

/** A plan of each kind; a new kind of change does not compile without one. */
const INPUTS: { readonly [Name in Variant]: () => Promise<PlanChange> } = {
  traits: async () => ({
    cloud: world.cloud().name,
    kind: 'traits',
    gpus: await world.taggable(2),
    rule: 'CUSTOM_STEPS_{type}',
    isKept: true,
    providerConfig: 'write',
  }),
  'traits (out of provider config)': async () => ({
    cloud: world.cloud().name,
    kind: 'traits',
    gpus: [{ host: WHOLE, address: world.living(WHOLE).spec().gpus[1]?.address ?? '' }],
    rule: 'CUSTOM_STEPS_{type}',
    providerConfig: 'remove',
  }),
  type: async () => ({
    cloud: world.cloud().name,
    kind: 'type',
    gpus: [{ host: RETYPED, address: world.living(RETYPED).spec().gpus[0]?.address ?? '' }],
    typeId: 'nvidia-320',
    resourceClass: null,
    isFlavorLossAccepted: true,
    testBoot: { flavorId: TEST_FLAVOR.id, imageId: IMAGE_ID, networks: 'none' },
  }),
  'type-vfio': async () => ({
    cloud: world.cloud().name,
    kind: 'type',
    gpus: [{ host: VFIO, address: world.living(VFIO).spec().gpus[0]?.address ?? '' }],
    typeId: 'nvidia-1156',
    resourceClass: null,
    isFlavorLossAccepted: true,
  }),
  passthrough: async () => passthroughOf(RETYPED, 0, 'whole'),
  'passthrough (back)': async () => passthroughOf(WHOLE, 0, 'sliced'),
  'passthrough (of VFs)': async () => passthroughOf(WITH_VFS, 1, 'whole'),
  'passthrough (back to VFs)': async () => passthroughOf(WITH_VFS, 0, 'sliced'),
  orphans: async () => ({ cloud: world.cloud().name, kind: 'orphans', gpus: 'all' }),
  flavor: async () => ({
    cloud: world.cloud().name,
    kind: 'flavor',
    isLandingNowhereAccepted: false,
    wish: {
      do: 'create',
      flavor: {
        name: 'vgpu.steps.new',
        description: null,
        vcpus: 1,
        memoryMib: 1024,
        diskGib: 1,
        isPublic: false,
        extraSpecs: { 'resources:VGPU': '1' },
        projectIds: projectIds().slice(0, 1),
      },
      aggregate: { name: 'gpu-steps', hosts: [RETYPED], properties: {} },
    },
  }),
  /** A default with overrides around it, a limit to 0, one that goes, new ones, a new name, rows without a region, and the role. */
  limits: async () => ({
    cloud: world.cloud().name,
    kind: 'limits',
    setUp: { user: DEMO_ACCOUNTS.tenant.name, domainId: null, removesStrays: true },
    limits: [
      { resourceName: 'class:CUSTOM_STEPS', projectId: null, value: 3 },
      { resourceName: 'class:CUSTOM_STEPS', projectId: projectId('cfd-lab'), value: 5 },
      { resourceName: 'class:VGPU', projectId: null, value: 1 },
      { resourceName: 'class:VGPU', projectId: projectId('service'), value: 9 },
      { resourceName: 'class:VGPU', projectId: projectId('admin'), value: null },
      { resourceName: 'class:VCPU', projectId: projectId('service'), value: 7 },
      { resourceName: 'servers', projectId: projectId('cfd-lab'), value: 0 },
      { resourceName: 'class:MEMORY_MB', projectId: projectId('cfd-lab'), value: 4096 },
      { resourceName: 'class:DISK_GB', projectId: projectId('cfd-lab'), value: null },
    ],
  }),
  'flavor (of one that there is)': async () => ({
    cloud: world.cloud().name,
    kind: 'flavor',
    isLandingNowhereAccepted: false,
    wish: {
      do: 'change',
      flavorIds: ['steps'],
      trait: null,
      set: { hide_hypervisor_id: 'true' },
      unset: ['gpu'],
      description: 'for the tests of steps',
      grant: projectIds().slice(1, 2),
      revoke: projectIds().slice(0, 1),
      aggregate: { name: 'gpu-steps-tied', hosts: [RETYPED], properties: { gpu: 'steps' } },
    },
  }),
  fence: async () => ({
    cloud: world.cloud().name,
    kind: 'fence',
    wish: {
      way: 'cpus',
      host: RETYPED,
      sharedSet: '0-55',
      dedicatedSet: '56-63',
      reservedMemoryMib: 16_384,
      flavorIds: fencedFlavors(),
      isMoving: false,
    },
  }),
  'fence (of an aggregate)': async () => ({
    cloud: world.cloud().name,
    kind: 'fence',
    wish: {
      way: 'isolated',
      hosts: [RETYPED],
      aggregate: 'gpu-fenced',
      trait: 'CUSTOM_GPU_HOST',
      flavorIds: fencedFlavors(),
      isMoving: false,
    },
  }),
}
const fencedFlavors = (): string[] =>
  world
    .openstack()
    .cloud.nova.flavors.filter(({ extraSpecs }) =>
      Object.keys(extraSpecs).some((key) => key.endsWith(FENCED_TYPE)),
    )
    .map(({ id }) => id)

const isLong = process.env.SLICEBOARD_LONG === '1' || process.env.SLICEBOARD_STEPS === 'all'
const isOnPostgres = Boolean(process.env.TEST_DATABASE_URL)

const KINDS = Object.keys(INPUTS) as Variant[]

/** The shortest plans: what a database can do wrong in whatever happens, they show on PostgreSQL. */
const SHORTEST: readonly Variant[] = ['traits', 'orphans']

/** The long form runs all plans through all that may happen, on PGlite; the short one only the shortest, on PostgreSQL. */
const inLongForm = (kind: Variant) => test.skipIf(isOnPostgres ? !SHORTEST.includes(kind) : !isLong)

/** Of these the short form loses the answer of each write alone: a crash after it asks the same of a step. */
const OTHER_FORMS: readonly Variant[] = [
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

const begin = async (kind: Variant): Promise<ChangeDetail> => {
  const planned = await createChange(world.ctx(), await INPUTS[kind]())
  return act(planned, 'start')
}

const takeBack = async (id: number): Promise<void> => {
  await act(await again(id), 'roll-back')
  await world.run(id)
}

type Reached = Map<Place, Set<number>>

const noting =
  (reached: Reached) =>
  (place: Place, position: number): void => {
    reached.set(place, (reached.get(place) ?? new Set()).add(position))
  }

/** Breaks off at a place of each step, once; the same step then goes on. */
const crashingAt = (wanted: Place) => {
  const crashed = new Set<number>()
  const reach = (place: Place, position: number) => {
    if (place !== wanted || crashed.has(position)) return
    crashed.add(position)
    throw new Error('crash')
  }
  return { crashed, reach }
}

const PLACES: readonly Place[] = ['before-intent', 'after-intent', 'after-effect', 'after-result']

const refusal = (status: number | null) =>
  new OpenStackError('Placement says no.', {
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
  const toolsOf = async (change: Parameters<typeof next>[0]): Promise<WorkTools> => {
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
  /** What an agent did not do, or not tell, it does or tells when it is asked again. */
  const mishap = (): Mishap => {
    if (!hasAgentFailed || how !== 'answer-lost') commands += 1
    hasAgentFailed = !hasAgentFailed
    return hasAgentFailed ? how : null
  }
  return { toolsOf, mishap, writes: () => called.size + commands }
}

/** Before the intent of a step is the same place as after the result of the one before. */
const MIDDLES = PLACES.slice(1)

/** Of the places of two steps one has its turn. */
const EVERY = 2 * MIDDLES.length

/**
 * Whether a plan is broken off there and taken back. Each such run is a plan of its own, so that all of them would be two
 * thirds of this file's time: every other step has its turn, at one of the places, others in each plan.
 * `SLICEBOARD_STEPS=all`, as `npm run test:steps` sets it, takes each step at each place.
 */
const isMiddle = (kind: Variant, step: number, place: Place): boolean =>
  process.env.SLICEBOARD_STEPS === 'all' ||
  (KINDS.indexOf(kind) + step + 2 * MIDDLES.indexOf(place)) % EVERY === 0

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
    await world.run(id, { toolsOf, mishap, reach: noting(forth) })
    writes = count()
    expect(forth.get('after-result')?.size).toBe(steps.length)
    after = await world.snapshot()
    expect((await again(id)).state).toBe('done')
    expect(after).not.toEqual(before)
    await act(await again(id), 'roll-back')
    await world.run(id, { reach: noting(back) })
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
  /** To the end, whatever happened on the way, and back. */
  const expectRight = async (id: number) => {
    await expectDone(id)
    await takeBack(id)
    await expectUndone(id)
  }

  /** An effect that nobody wrote down is the worst place; the short form has all places in the shortest plans. */
  const ofCrash = (place: Place) =>
    place === 'after-effect' && !OTHER_FORMS.includes(kind) ? test : inLongForm(kind)

  for (const place of PLACES)
    ofCrash(place)(`goes on after a crash ${place} of each step, and of each undo`, async () => {
      const { id } = await begin(kind)
      const onTheWay = crashingAt(place)
      await world.run(id, { reach: onTheWay.reach, broke: () => undefined })
      expect(onTheWay.crashed).toEqual(forth.get(place))
      await expectDone(id)
      await act(await again(id), 'roll-back')
      const onTheWayBack = crashingAt(place)
      await world.run(id, { reach: onTheWayBack.reach, broke: () => undefined })
      expect(onTheWayBack.crashed).toEqual(back.get(place))
      await expectUndone(id)
    })

  inLongForm(kind).each(MIDDLES)(
    'is taken back from the middle of each step after a crash %s',
    async (place) => {
      for (const step of [...(forth.get(place) ?? [])].filter((each) => isMiddle(kind, each, place))) {
        const { id } = await begin(kind)
        const died = new Error('died')
        const run = world.run(id, {
          reach: (reached, position) => {
            if (reached === place && position === step) throw died
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

  inLongForm(kind)('stops at a refusal of each write, says it, and goes on when asked', async () => {
    const { id } = await begin(kind)
    const failed = failing('refused')
    await world.run(id, failed)
    let stops = 0
    for (let now = await again(id); now.state !== 'done' && stops <= 2 * writes; now = await again(id)) {
      stops += 1
      expect(now).toMatchObject({
        state: 'stopped',
        stopReason: expect.stringMatching(/Placement says no\.|does not allow/),
      })
      expect(now.steps.filter(({ state }) => state === 'failed')).toHaveLength(1)
      await act(now, 'go-on')
      await world.run(id, failed)
    }
    // A test boot that is refused closes the host again, which takes writes of its own.
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

  inLongForm(kind)('does nothing when it is run or taken back twice', async () => {
    const { id } = await begin(kind)
    await world.run(id)
    expect(await world.run(id)).toBe('over')
    await expectRight(id)
    expect(await world.run(id)).toBe('over')
    await expect(act(await again(id), 'roll-back')).rejects.toMatchObject({ code: 'conflict' })
    expect(await world.snapshot()).toEqual(before)
  })
})

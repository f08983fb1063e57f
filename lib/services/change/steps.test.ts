import { beforeAll, describe, expect, test, vi } from 'vitest'
import { OpenStackError } from '@/lib/openstack/openstack-error'
import { COMMAND_NAMES } from '@/lib/schemas/agent/command'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import { vgpu } from '@/simulator/fixtures/host-parts'
import { IMAGE_ID } from '@/simulator/openstack/nova/server-body'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { createChangeWorld } from './testing/change-world'
import type { Mishap } from './testing/test-agents'
import { TEST_FLAVOR } from './testing/test-flavor'
import type { Place } from './turn'
import type { WorkTools } from './works/step-work'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 })

/** Its packages take drop-ins, so that its agent can write nova.conf. */
const RETYPED = 'cmp-r2-05'
/** Sliced by vendor VFIO, its [pci] in a drop-in of the console. */
const VFIO = 'cmp-r6-01'

const still = (host: FleetHost): FleetHost => ({ ...host, story: { kind: 'still' } })

/** Without servers and mdevs, which would not come back when a change of the type is taken back. */
const emptied = (host: FleetHost): FleetHost => ({
  ...host,
  spec: {
    ...host.spec,
    guests: [],
    mdevDefinitions: [],
    gpus: host.spec.gpus.map((gpu) =>
      gpu.slicing === null
        ? gpu
        : { ...gpu, slicing: { ...gpu.slicing, state: { ...gpu.slicing.state, vgpus: [] } } },
    ),
  },
})

/** The first card has one VF with a type that nobody holds. */
const oneTyped = (host: FleetHost): FleetHost => ({
  ...host,
  spec: {
    ...host.spec,
    gpus: host.spec.gpus.map((gpu, place) => {
      const [slot] = gpu.slicing?.state.slots ?? []
      if (gpu.slicing === null || slot === undefined || place > 0) return gpu
      const state = { ...gpu.slicing.state, vgpus: [vgpu(slot, 'nvidia-1152')] }
      return { ...gpu, slicing: { ...gpu.slicing, state } }
    }),
  },
})

/** Every step of every kind of change × everything that may go wrong: a new step needs no new test. */
const world = createChangeWorld({
  allow: COMMAND_NAMES,
  flavors: [TEST_FLAVOR],
  fleetOf: (fleet) => [
    ...fleet
      .slice(0, 4)
      .map(still)
      .map((host) => (host.spec.name === VFIO ? oneTyped(emptied(host)) : host)),
    ...fleet
      .filter(({ spec }) => spec.name === RETYPED)
      .map(still)
      .map(emptied),
  ],
})

const OWN_FLAVOR = 'vgpu.steps'

const projectIds = (): string[] => world.openstack().cloud.keystone.projects.map(({ id }) => id)

/** One that the demo does not have: it is shared with single projects. */
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
  await world.readAgain()
})

type Variant = PlanChange['kind'] | 'type-vfio' | 'flavor (of one that there is)'

/** A plan of each kind; a new kind of change does not compile without one. */
const INPUTS: { readonly [Name in Variant]: () => Promise<PlanChange> } = {
  traits: async () => ({
    cloud: world.cloud().name,
    kind: 'traits',
    gpus: await world.taggable(2),
    rule: 'CUSTOM_STEPS_{type}',
    isKept: true,
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
    },
  }),
}
/** Most plans are run through on PGlite alone: what a database can do wrong, the shortest ones show on PostgreSQL too. */
const KINDS = (Object.keys(INPUTS) as Variant[]).filter(
  (kind) => kind === 'traits' || kind === 'orphans' || process.env.TEST_DATABASE_URL === undefined,
)

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

/** Breaks off when a place is reached for the given time. */
const crashAt = (wanted: Place, step: number) => {
  let reached = 0
  return (place: Place) => {
    if (place !== wanted) return
    reached += 1
    if (reached === step + 1) throw new Error('crash')
  }
}

const PLACES: readonly Place[] = ['before-intent', 'after-intent', 'after-effect', 'after-result']

const refusal = (status: number | null) =>
  new OpenStackError('Placement says no.', {
    kind: status === null ? 'timeout' : 'http',
    service: 'placement',
    cloud: 'test',
    status,
  })

type Write = () => Promise<unknown>

/** A client of which every call that is no question goes through `fail`. */
const writing = <Client extends object>(client: Client, fail: (write: Write) => Promise<unknown>): Client =>
  new Proxy(client, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || /^(get|list|version|maxVersion)/.test(String(name))) return method
      return (...args: unknown[]) => fail(() => method.apply(target, args) as Promise<unknown>)
    },
  })

/** The n-th write fails, to Placement or by an agent: refused before it, or its answer lost on the way back. */
const failing = (step: number, how: 'refused' | 'answer-lost' | null) => {
  let writes = 0
  const next = world.toolsOf()
  const toolsOf = async (change: Parameters<typeof next>[0]): Promise<WorkTools> => {
    const tools = await next(change)
    const fail = async <Result>(write: () => Promise<Result>): Promise<Result> => {
      writes += 1
      if (writes !== step + 1 || how === null) return write()
      if (how === 'refused') throw refusal(403)
      await write()
      throw refusal(null)
    }
    return { ...tools, placement: writing(tools.placement, fail), nova: writing(tools.nova, fail) }
  }
  const mishap = (): Mishap => {
    writes += 1
    return writes === step + 1 ? how : null
  }
  return { toolsOf, mishap, count: () => writes }
}

describe.each(KINDS)('a change of the kind %s', (kind) => {
  let before: Snapshot
  let after: Snapshot
  /** How often a run to the end comes to each place; a step that only looks makes no call. */
  const forth = new Map<Place, number>()
  const back = new Map<Place, number>()
  let writes = 0
  const counting = (reached: Map<Place, number>) => (place: Place) => {
    reached.set(place, (reached.get(place) ?? 0) + 1)
  }

  beforeAll(async () => {
    before = await world.snapshot()
    const { id, steps } = await begin(kind)
    const watched = failing(0, null)
    await world.run(id, { ...watched, reach: counting(forth) })
    writes = watched.count()
    expect(forth.get('after-result')).toBe(steps.length)
    after = await world.snapshot()
    expect((await again(id)).state).toBe('done')
    expect(after).not.toEqual(before)
    await act(await again(id), 'roll-back')
    await world.run(id, { reach: counting(back) })
    expect((await again(id)).state).toBe('undone')
    expect(await world.snapshot()).toEqual(before)
  })

  /** To the end, whatever happened on the way, and back. */
  const expectRight = async (id: number) => {
    expect((await again(id)).state).toBe('done')
    expect(await world.snapshot()).toEqual(after)
    await takeBack(id)
    expect((await again(id)).state).toBe('undone')
    expect(await world.snapshot()).toEqual(before)
  }

  const eachOf = async (count: number | undefined, work: (step: number) => Promise<void>) => {
    expect(count).toBeGreaterThan(0)
    for (let step = 0; step < (count ?? 0); step++) await work(step)
  }

  test.each(PLACES)('goes on after a crash %s of each step', (place) =>
    eachOf(forth.get(place), async (step) => {
      const { id } = await begin(kind)
      let crashes = 0
      await world.run(id, { reach: crashAt(place, step), broke: () => crashes++ })
      expect(crashes, `step ${step}`).toBe(1)
      await expectRight(id)
    }),
  )

  test.each(PLACES)('is taken back after a crash %s of the undo of each step', (place) =>
    eachOf(back.get(place), async (step) => {
      const { id } = await begin(kind)
      await world.run(id)
      await act(await again(id), 'roll-back')
      let crashes = 0
      await world.run(id, { reach: crashAt(place, step), broke: () => crashes++ })
      expect(crashes, `step ${step}`).toBe(1)
      expect((await again(id)).state).toBe('undone')
      expect(await world.snapshot()).toEqual(before)
    }),
  )

  test.each(PLACES)('is taken back from the middle of each step after a crash %s', (place) =>
    eachOf(forth.get(place), async (step) => {
      const { id } = await begin(kind)
      const crash = crashAt(place, step)
      const died = new Error('died')
      await expect(
        world.run(id, {
          reach: crash,
          broke: () => {
            throw died
          },
        }),
      ).rejects.toBe(died)
      await takeBack(id)
      expect((await again(id)).state).toBe('undone')
      expect(await world.snapshot()).toEqual(before)
    }),
  )

  test('stops at a refusal of each step, says it, and goes on when asked', () =>
    eachOf(writes, async (step) => {
      const { id } = await begin(kind)
      await world.run(id, failing(step, 'refused'))
      const stopped = await again(id)
      expect(stopped).toMatchObject({
        state: 'stopped',
        stopReason: expect.stringMatching(/Placement says no\.|does not allow/),
      })
      expect(stopped.steps.filter(({ state }) => state === 'failed')).toHaveLength(1)
      await act(stopped, 'go-on')
      await world.run(id)
      await expectRight(id)
    }))

  test('sees what was done when the answer of each step was lost', () =>
    eachOf(writes, async (step) => {
      const { id } = await begin(kind)
      expect(await world.run(id, failing(step, 'answer-lost'))).toBe('resting')
      expect((await again(id)).steps.filter(({ state }) => state === 'waiting')).toHaveLength(1)
      await world.run(id)
      await expectRight(id)
    }))

  test('comes to the same end when two consoles run it at once', async () => {
    const { id } = await begin(kind)
    await Promise.all([world.run(id), world.run(id)])
    await world.run(id)
    await expectRight(id)
  })

  test('does nothing when it is run or taken back twice', async () => {
    const { id } = await begin(kind)
    await world.run(id)
    expect(await world.run(id)).toBe('over')
    await expectRight(id)
    expect(await world.run(id)).toBe('over')
    await expect(act(await again(id), 'roll-back')).rejects.toMatchObject({ code: 'conflict' })
    expect(await world.snapshot()).toEqual(before)
  })
})

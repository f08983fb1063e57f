import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createNova } from '@/lib/openstack/nova/create-nova'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import type { LimitSetUp } from '@/lib/schemas/api/limit-set-up'
import { limitSetUpSchema } from '@/lib/schemas/api/limit-set-up'
import { anyRow } from '@/lib/server/testing/any-row'
import { getLimitSetUp } from '@/lib/services/limit-set-up/get-limit-set-up'
import { tryLimit } from '@/lib/services/limit-set-up/try-limit'
import { READER } from '@/lib/services/testing/service-world'
import { IMAGE_ID } from '@/simulator/openstack/demo-cloud/images'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { previewChange } from './preview-change'
import { createChangeWorld } from './testing/change-world'
import { previewOfKind } from './testing/preview-of-kind'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const world = createChangeWorld({
  // Before Nova 31 -1 refuses everything, and a name without a registered limit is 0.
  release: '2024.1',
  fleetOf: (fleet) => fleet.slice(0, 3).map((host) => ({ ...host, story: { kind: 'still' } })),
})

const keystone = () => world.openstack().cloud.keystone
const projectId = (name: string): string => keystone().projects.find((each) => each.name === name)?.id ?? ''
const controls = () => world.openstack().controls

beforeEach(async () => {
  // A round in which much has changed leaves the limits to the next.
  await world.readAgain()
  await world.readAgain()
})
afterEach(async () => {
  controls().heal()
  controls().setModel({ kind: 'flat' })
})

type LimitInput = { resourceName: string; projectId: string | null; value: number | null }

const plan = (
  limits: LimitInput[],
  rest: Partial<Extract<PlanChange, { kind: 'limits' }>> = {},
): PlanChange => ({
  cloud: world.cloud().name,
  kind: 'limits',
  limits,
  ...rest,
})

const start = async (input: PlanChange) => {
  const planned = await createChange(world.ctx(), input)
  await actOnChange(world.ctx(), { id: planned.id, body: { action: 'start', version: planned.version } })
  await world.run(planned.id)
  return getChange(world.ctx(), { id: planned.id })
}

const vgpuOf = (name: string): number | undefined =>
  keystone().limits.find(
    (row) => row.resourceName === 'class:VGPU' && row.projectId === projectId(name) && row.regionId !== null,
  )?.resourceLimit

describe('a plan for limits', () => {
  it('states which projects are over immediately, and the share of the capacity', async () => {
    const busy = keystone().limits.find(
      (row) =>
        row.resourceName === 'class:VGPU' &&
        row.projectId !== projectId('admin') &&
        row.projectId !== projectId('service'),
    )
    const { preview, steps } = await previewChange(
      world.ctx(READER),
      plan([{ resourceName: 'class:VGPU', projectId: busy?.projectId ?? '', value: 0 }]),
    )
    expect(steps.map(({ id }) => id)).toEqual(['set-project-limits'])
    expect(previewOfKind('limits', { preview }).limitChange.over).toMatchObject([
      { projectId: busy?.projectId, limit: 0 },
    ])
    const [promised] = previewOfKind('limits', { preview }).limitChange.classes ?? []
    expect((promised?.before ?? 0) - (promised?.after ?? 0)).toBe(busy?.resourceLimit)
  })

  it('changes a default around the limits that refer to it', async () => {
    const held = keystone().limits.filter(({ resourceName }) => resourceName === 'class:VGPU').length
    const { steps } = await previewChange(
      world.ctx(READER),
      plan([{ resourceName: 'class:VGPU', projectId: null, value: 2 }]),
    )
    expect(steps[0]?.calls.filter((call) => call.startsWith('DELETE'))).toHaveLength(held)
  })

  it.each([
    [{ resourceName: 'class:CUSTOM_NOBODY', projectId: 'cfd-lab', value: 1 }, /register one first/],
    [{ resourceName: 'class:VGPU', projectId: 'cfd-lab', value: -1 }, /refuses every request/],
    [{ resourceName: 'class:VGPU', projectId: 'no-such-project', value: 1 }, /no such project/],
    [{ resourceName: 'class:VGPU', projectId: null, value: null }, /a registered default cannot/],
  ])('refuses %j', async (input, reason) => {
    const named = input.projectId === 'cfd-lab' ? projectId('cfd-lab') : input.projectId
    const { steps, preview } = await previewChange(world.ctx(), plan([{ ...input, projectId: named }]))
    expect(steps).toEqual([])
    expect(previewOfKind('limits', { preview }).limitChange.refusals[0]?.reason).toMatch(reason)
  })

  it('is refused to a reader', async () => {
    const input = plan([{ resourceName: 'class:VGPU', projectId: projectId('admin'), value: 9 }])
    await expect(createChange(world.ctx(READER), input)).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('a change of limits', () => {
  it('sets a limit to 0, which PATCH alone would not', async () => {
    const done = await start(plan([{ resourceName: 'class:VGPU', projectId: projectId('admin'), value: 0 }]))
    expect(done.state).toBe('done')
    expect(vgpuOf('admin')).toBe(0)
  })

  it('does not write a limit that was changed since the plan', async () => {
    const planned = await createChange(
      world.ctx(),
      plan([{ resourceName: 'class:VGPU', projectId: projectId('admin'), value: 7 }]),
    )
    controls().setLimit({ project: 'admin', value: '5' })
    await actOnChange(world.ctx(), { id: planned.id, body: { action: 'start', version: planned.version } })
    await world.run(planned.id)
    const now = await getChange(world.ctx(), { id: planned.id })
    expect(now.steps[0]).toMatchObject({
      state: 'blocked',
      note: 'class:VGPU of admin changed after the plan was made: from 4 to 5.',
    })
    expect(vgpuOf('admin')).toBe(5)
    await actOnChange(world.ctx(), { id: now.id, body: { action: 'roll-back', version: now.version } })
    await world.run(now.id)
  })

  it('does not change a default under a limit that the plan did not see', async () => {
    const planned = await createChange(
      world.ctx(),
      plan([{ resourceName: 'class:VGPU', projectId: null, value: 3 }]),
    )
    const [like] = keystone().limits.filter(({ resourceName }) => resourceName === 'class:VGPU')
    if (like === undefined) throw new Error('the world has no limit of VGPU')
    const free = keystone().projects.find(
      ({ id }) => !keystone().limits.some((row) => row.resourceName === 'class:VGPU' && row.projectId === id),
    )
    keystone().limits.push({
      ...like,
      id: 'late',
      projectId: free?.id ?? null,
      domainId: free === undefined ? 'default' : null,
    })
    await actOnChange(world.ctx(), { id: planned.id, body: { action: 'start', version: planned.version } })
    await world.run(planned.id)
    const now = await getChange(world.ctx(), { id: planned.id })
    expect(now.steps[0]).toMatchObject({
      state: 'blocked',
      note: expect.stringContaining('after the plan was made'),
    })
    expect(keystone().limits.some(({ id }) => id === like.id)).toBe(true)
    await actOnChange(world.ctx(), { id: now.id, body: { action: 'roll-back', version: now.version } })
    await world.run(now.id)
  })
})

describe('from a cloud without unified limits', () => {
  const setUp = async (flavor: string | null = null): Promise<LimitSetUp> =>
    limitSetUpSchema.parse(await getLimitSetUp(world.ctx(READER), { cloud: world.cloud().name, flavor }))

  const factOf = ({ facts }: LimitSetUp, id: string) => facts.find((fact) => fact.id === id)

  it('looks up Nova’s user in the given domain', async () => {
    const roleOf = async (domain: string | null) => {
      const scope = { cloud: world.cloud().name, user: 'admin', domain }
      const answer = await getLimitSetUp(world.ctx(READER), scope)
      return {
        domainId: answer.domainId,
        state: factOf(answer, 'role')?.state,
        reported: factOf(answer, 'role')?.reported,
      }
    }
    expect(await roleOf(null)).toMatchObject({ domainId: null, state: 'good' })
    expect(await roleOf('default')).toMatchObject({ domainId: 'default', state: 'good' })
    expect(await roleOf('other')).toMatchObject({
      domainId: 'other',
      state: 'unknown',
      reported: expect.stringContaining('Keystone has no user admin'),
    })
  })

  it('leads to a cloud that refuses the third server as the dry run predicted', async () => {
    const [servers] = keystone().limits.filter(({ resourceName }) => resourceName === 'servers')
    if (servers === undefined) throw new Error('the world has no limit on servers')
    controls().forgetLimits()
    world.openstack().cloud.nova.legacyQuotas.set('default', { cores: 48 })
    await world.readAgain()
    const before = await setUp()
    expect(before.needed.filter(({ proposed }) => proposed === 48)).toMatchObject([
      { resourceName: 'class:VCPU', because: 'this cloud’s default quota' },
      { resourceName: 'class:PCPU' },
    ])
    expect(factOf(before, 'driver')).toMatchObject({
      state: 'open',
      reported: expect.stringContaining('Nova answers'),
    })
    expect(factOf(before, 'role')).toMatchObject({ state: 'open' })
    expect(before.needed.every(({ registered }) => registered === null)).toBe(true)
    expect(before.command).toContain('--region-id RegionOne')
    expect(before.proposals).toContainEqual({
      resourceName: 'servers',
      projectId: servers.projectId,
      value: servers.resourceLimit,
    })

    const own = { resourceName: 'class:VGPU', projectId: projectId('service'), value: 2 }
    const input = plan([...before.proposals, own], { setUp: { user: 'nova', domainId: null } })
    const preview = await previewChange(world.ctx(), input)
    expect(
      previewOfKind('limits', preview).limitChange.over.filter(
        ({ resourceName }) => resourceName === 'class:VGPU',
      ),
    ).toEqual([])
    expect(previewOfKind('limits', preview).limitChange.configs[0]?.texts[0]?.text).toContain(
      'nova.quota.UnifiedLimitsDriver',
    )
    expect((await start(input)).state).toBe('done')
    controls().setQuotaDriver({ kind: 'unified' })
    await world.readAgain()

    const nova = createNova({ account: world.account() })
    const flavor = world
      .openstack()
      .cloud.nova.flavors.find(({ extraSpecs }) => extraSpecs['resources:VGPU'] === '1')
    const boot = () =>
      nova.createServer({
        name: 'third',
        flavorId: flavor?.id ?? '',
        imageId: IMAGE_ID,
        networks: 'none',
        host: world.openstack().cloud.nova.computes[0]?.host ?? '',
        metadata: {},
      })
    await boot()
    await boot()
    // What the servers use, whether or not both fitted on the host.
    hold(2)
    const dry = (await setUp(flavor?.id ?? '')).dryRun?.projects.find(
      (each) => each.projectId === projectId('service'),
    )
    expect(dry?.state).toBe('refused')
    const error: unknown = await boot().catch((thrown: unknown) => thrown)
    if (!isOpenStackError(error)) throw new Error('the third server was made')
    expect(error.status).toBe(403)
    expect(error.detail).toBe(dry?.message)
    await provesIt(flavor?.id ?? '', dry?.message ?? '')
  })

  const tries = (flavorId: string) =>
    tryLimit(world.ctx(), { cloud: world.cloud().name, body: { flavorId, imageId: IMAGE_ID } })

  const trialServers = () =>
    [...world.openstack().cloud.nova.servers.values()].filter(({ name }) =>
      name.startsWith('sliceboard-limit-'),
    )

  /** The proof from the product: refused with the words that were foretold; what a legacy driver lets through is deleted. */
  const provesIt = async (flavorId: string, message: string) => {
    expect(await tries(flavorId)).toMatchObject({ state: 'refused', message, isForetold: true })
    controls().setQuotaDriver({ kind: 'legacy' })
    expect(await tries(flavorId)).toMatchObject({ state: 'accepted', isForetold: false })
    expect(trialServers().map(({ taskState }) => taskState)).toEqual(['deleting'])
    controls().setQuotaDriver({ kind: 'unified' })
    const rows = await world
      .ctx()
      .database.query(
        `SELECT action FROM audit_entry WHERE action LIKE 'limit-trial%' ORDER BY id`,
        [],
        anyRow<{ action: string }>(),
      )
    expect(rows.map(({ action }) => action)).toEqual(
      Array(2).fill(['limit-trial.begin', 'limit-trial.end']).flat(),
    )
    await expect(
      tryLimit(world.ctx(READER), { cloud: world.cloud().name, body: { flavorId, imageId: IMAGE_ID } }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  }

  /** The project holds as many vGPUs, by Placement. */
  const hold = (amount: number) => {
    const { placement } = world.openstack().cloud
    const provider = [...placement.providers.values()].find(({ inventories }) => inventories.has('VGPU'))
    for (const consumer of placement.consumers.values())
      if (consumer.projectId === projectId('service')) consumer.allocations.clear()
    const [like] = placement.consumers.values()
    if (like === undefined || provider === undefined) throw new Error('the world has no vGPUs')
    placement.consumers.set('held', {
      ...like,
      projectId: projectId('service'),
      allocations: new Map([[provider.uuid, new Map([['VGPU', amount]])]]),
    })
  }

  it('names rows without a region, a model that is not flat, and failed requests', async () => {
    controls().loseRegion()
    controls().setModel()
    await world.readAgain()
    const flavor = world.openstack().cloud.nova.flavors.find(({ extraSpecs }) => extraSpecs['resources:VGPU'])
    const found = await setUp(flavor?.id)
    expect(found.dryRun?.projects.length).toBeGreaterThan(0)
    for (const { state, message } of found.dryRun?.projects ?? [])
      expect([state, message]).toEqual(['unknown', expect.stringContaining('strict_two_level')])
    expect(factOf(found, 'region')).toMatchObject({
      state: 'open',
      reported: expect.stringContaining('class:VGPU'),
    })
    expect(factOf(found, 'model')).toMatchObject({ state: 'open' })
    expect(found.needed.find(({ resourceName }) => resourceName === 'class:VGPU')).toMatchObject({
      registered: null,
      withoutRegion: 0,
      proposed: 0,
      means: { kind: 'number', value: 0, origin: 'missing' },
    })
    expect(factOf(found, 'oslo-limit')?.state).toBe('unknown')
  })

  it('deletes rows without a region on request, and recreates them on a rollback', async () => {
    controls().addNullRegion({ resource: 'class:VGPU', value: '16' })
    const strays = () => keystone().registeredLimits.filter(({ regionId }) => regionId === null)
    const [row] = strays()
    const [like] = keystone().limits
    if (row === undefined || like === undefined) throw new Error('the world has no limits')
    const { serviceId, resourceName } = row
    keystone().limits.push({ ...like, id: 's1', serviceId, resourceName, regionId: null, resourceLimit: 12 })
    await world.readAgain()
    expect((await setUp()).strayCount).toBe(2)
    const input = plan([], { setUp: { user: 'nova', domainId: null, removesStrays: true } })
    const done = await start(input)
    expect(done).toMatchObject({ state: 'done', title: 'Limits: delete 2 without a region' })
    expect(strays()).toEqual([])
    expect(keystone().limits.some(({ regionId }) => regionId === null)).toBe(false)
    await actOnChange(world.ctx(), { id: done.id, body: { action: 'roll-back', version: done.version } })
    await world.run(done.id)
    expect(strays()).toMatchObject([{ resourceName, defaultLimit: 16 }])
    expect(keystone().limits.filter(({ regionId }) => regionId === null)).toMatchObject([
      { resourceLimit: 12 },
    ])
    keystone().limits = keystone().limits.filter(({ regionId }) => regionId !== null)
    keystone().registeredLimits = keystone().registeredLimits.filter(({ regionId }) => regionId !== null)
    await world.readAgain()
  })

  it('compares the answer of Nova with the current Keystone, not with the last round', async () => {
    const row = keystone().limits.find(({ resourceName }) => resourceName === 'servers')
    if (row === undefined) throw new Error('the world has no limit on servers')
    const before = row.resourceLimit
    try {
      row.resourceLimit = before + 1
      expect(factOf(await setUp(), 'driver')?.reported).not.toContain('with unified limits it would answer')
    } finally {
      row.resourceLimit = before
    }
  })

  it('requests no server from Nova that the limits allow', async () => {
    const free = world
      .openstack()
      .cloud.nova.flavors.find(({ extraSpecs }) => extraSpecs['resources:VGPU'] === '1')
    const own = keystone().limits.find(
      (row) => row.resourceName === 'class:VGPU' && row.projectId === projectId('service'),
    )
    if (free === undefined || own === undefined) throw new Error('the world has a vGPU flavor and a limit')
    const before = own.resourceLimit
    own.resourceLimit = 100
    await expect(tries(free.id)).rejects.toMatchObject({
      code: 'precondition',
      message: expect.stringContaining('within its limits'),
    })
    expect(trialServers().filter(({ taskState }) => taskState !== 'deleting')).toEqual([])
    own.resourceLimit = before
  })

  it('proposes nothing where all is there', async () => {
    const found = await setUp()
    expect(found.proposals).toEqual([])
    expect(factOf(found, 'registered')?.state).toBe('good')
    expect(factOf(found, 'role')?.state).toBe('good')
  })
})

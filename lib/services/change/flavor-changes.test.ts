import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { createNova } from '@/lib/openstack/nova/create-nova'
import type { PlanChange, PlanFlavor } from '@/lib/schemas/api/change-inputs'
import { READER } from '@/lib/services/testing/service-world'
import type { Flavor } from '@/simulator/openstack/nova/nova-state'
import { actOnChange } from './act-on-change'
import { createChange } from './create-change'
import { getChange } from './get-change'
import { getRunbook } from './get-runbook'
import { previewChange } from './preview-change'
import { createChangeWorld } from './testing/change-world'
import { previewOfKind } from './testing/preview-of-kind'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const world = createChangeWorld({ hostCount: 3 })

const nova = () => world.openstack().cloud.nova
const projectIds = () => world.openstack().cloud.keystone.projects.map(({ id }) => id)

const flavorNamed = (name: string): Flavor => {
  const found = nova().flavors.find((flavor) => flavor.name === name)
  if (found === undefined) throw new Error(`the world has no flavor ${name}`)
  return found
}

const withVgpu = (): Flavor => {
  const found = nova().flavors.find(
    ({ name, extraSpecs }) => name.startsWith('vgpu.') && extraSpecs['resources:VGPU'] === '1',
  )
  if (found === undefined) throw new Error('the world has no flavor with a vGPU')
  return found
}

type NewFlavor = Extract<PlanFlavor['input'], { do: 'create' }>

const wanted = (rest: Partial<NewFlavor['flavor']> = {}, tie: NewFlavor['aggregate'] = null): PlanChange => ({
  cloud: world.cloud().name,
  kind: 'flavor',
  isNoMatchAccepted: false,
  input: {
    do: 'create',
    flavor: {
      name: 'vgpu.test',
      description: null,
      vcpus: 1,
      memoryMib: 1024,
      diskGib: 1,
      isPublic: true,
      extraSpecs: { 'resources:VGPU': '1' },
      projectIds: [],
      ...rest,
    },
    aggregate: tie,
  },
})

type Changed = Extract<PlanFlavor['input'], { do: 'change' }>

const changed = (flavorIds: string[], rest: Partial<Changed>): PlanFlavor => ({
  cloud: world.cloud().name,
  kind: 'flavor',
  isNoMatchAccepted: false,
  input: { do: 'change', flavorIds, trait: null, set: {}, unset: [], grant: [], revoke: [], ...rest },
})

const act = async (id: number, action: 'start' | 'go-on' | 'roll-back' | 'stop') =>
  actOnChange(world.ctx(), { id, body: { action, version: (await again(id)).version } })
const again = (id: number) => getChange(world.ctx(), { id })

/** Planned, started and run as far as it goes. */
const carryOut = async (input: PlanChange) => {
  const { id } = await createChange(world.ctx(), input)
  await act(id, 'start')
  await world.run(id)
  return again(id)
}

let flavors: Flavor[] = []
beforeAll(() => {
  flavors = nova().flavors.map((flavor) => ({ ...flavor, extraSpecs: { ...flavor.extraSpecs } }))
})
beforeEach(async () => {
  nova().flavors = flavors.map((flavor) => ({ ...flavor, extraSpecs: { ...flavor.extraSpecs } }))
  await world.readAgain()
})

describe('a new flavor', () => {
  test('is planned with exact calls, checked with Placement, created and reverted', async () => {
    const [project = ''] = projectIds()
    const input = wanted(
      { isPublic: false, projectIds: [project] },
      { name: 'gpu-test', hosts: [nova().computes[0]?.host ?? ''], properties: { gpu: 'test' } },
    )
    const plan = await previewChange(world.ctx(READER), input)
    expect(plan.steps.map(({ title }) => title)).toEqual([
      'Create the aggregate gpu-test',
      'Add 1 host to the aggregate gpu-test',
      'Write gpu=test to the aggregate gpu-test',
      'Create the flavor vgpu.test',
      'Set resources:VGPU=1 in vgpu.test',
      expect.stringMatching(/^Access to vgpu\.test: grant to .+$/),
    ])
    const [effect] = previewOfKind('flavor', plan).flavorChange.flavors ?? []
    expect(effect).toMatchObject({
      name: 'vgpu.test',
      isNew: true,
      specs: [{ key: 'resources:VGPU', before: null, after: '1' }],
      placementPreview: {
        query: expect.stringContaining(
          '/allocation_candidates?resources=DISK_GB:1,MEMORY_MB:1024,VCPU:1,VGPU:1',
        ),
        placement: { state: 'answered' },
      },
    })
    expect(effect?.placementPreview?.placement.candidates).toBeGreaterThan(0)
    expect(previewOfKind('flavor', plan).flavorChange.terraform).toContain(
      '"openstack_compute_flavor_access_v2"',
    )
    const before = await world.snapshot()
    const done = await carryOut(input)
    expect(done.state).toBe('done')
    const made = flavorNamed('vgpu.test')
    expect(made).toMatchObject({
      isPublic: false,
      projectIds: [project],
      extraSpecs: { 'resources:VGPU': '1' },
    })
    // What was previewed is what was made, the id too.
    expect(made.id).toBe(effect?.id)
    expect(nova().aggregates.find(({ name }) => name === 'gpu-test')).toMatchObject({
      metadata: { gpu: 'test' },
    })
    const root = world.openstack().cloud.placement.providers.get(nova().computes[0]?.uuid ?? '')
    const uuid = nova().aggregates.find(({ name }) => name === 'gpu-test')?.uuid
    expect([...(root?.aggregates ?? [])]).toContain(uuid)
    await act(done.id, 'roll-back')
    await world.run(done.id)
    expect((await again(done.id)).state).toBe('undone')
    expect(await world.snapshot()).toEqual(before)
  })

  test('is checked with Placement with the planned aggregate, not with the current one', async () => {
    const tied = (host: string) =>
      wanted(
        { extraSpecs: { 'resources:VGPU': '1', 'aggregate_instance_extra_specs:gpu': 'new' } },
        { name: 'gpu-new', hosts: host === '' ? [] : [host], properties: { gpu: 'new' } },
      )
    const fitsOn = async (host: string) => {
      const { preview } = await previewChange(world.ctx(), tied(host))
      return previewOfKind('flavor', { preview }).flavorChange.flavors[0]?.placementPreview
    }
    const alone = await previewChange(world.ctx(), wanted())
    expect(
      previewOfKind('flavor', alone).flavorChange.flavors[0]?.placementPreview?.fittingHosts,
    ).toBeGreaterThan(1)
    expect(await fitsOn('')).toMatchObject({ fits: 0, because: expect.stringContaining('gpu=new') })
    const landings = await Promise.all(nova().computes.map(({ host }) => fitsOn(host)))
    expect(Math.max(...landings.map((preview) => preview?.fittingHosts ?? 0))).toBe(1)
  })

  test('that could land nowhere is refused with the reason before it is saved, unless that is accepted', async () => {
    const huge = wanted({ memoryMib: 64 * 1024 * 1024 })
    await expect(createChange(world.ctx(), huge)).rejects.toMatchObject({
      code: 'precondition',
      message: expect.stringMatching(/vgpu\.test: no host could run a server of it/),
    })
    const unknown = wanted({ extraSpecs: { 'resources:VGPU': '1', 'trait:CUSTOM_NOBODY': 'required' } })
    await expect(createChange(world.ctx(), unknown)).rejects.toMatchObject({
      code: 'precondition',
      message: expect.stringContaining('CUSTOM_NOBODY'),
    })
    const accepted = await createChange(world.ctx(), {
      ...huge,
      isNoMatchAccepted: true,
    } as PlanChange)
    expect(accepted.steps).toHaveLength(2)
  })

  test('takes a free name, projects that there are, and hosts that Nova has', async () => {
    const { name } = withVgpu()
    for (const [input, why] of [
      [wanted({ name }), `Nova already has a flavor ${name}`],
      [wanted({ isPublic: false, projectIds: ['unknown'] }), 'Keystone has no project unknown'],
      [wanted({}, { name: 'gpu', hosts: ['attic'], properties: {} }), 'no nova-compute service on attic'],
    ] as const)
      await expect(createChange(world.ctx(), input)).rejects.toMatchObject({
        code: 'precondition',
        message: expect.stringContaining(why),
      })
    await expect(createChange(world.ctx(), wanted({ projectIds: ['p'] }))).rejects.toMatchObject({
      code: 'validation',
    })
  })

  test('is distinguished from a flavor of the same name that another user created in the meantime', async () => {
    const { id } = await createChange(world.ctx(), wanted())
    nova().flavors.push({ ...withVgpu(), id: 'theirs', name: 'vgpu.test', vcpus: 7 })
    await act(id, 'start')
    await world.run(id)
    const [step] = (await again(id)).steps
    expect(step).toMatchObject({ state: 'blocked' })
    expect(step?.note).toMatch(/theirs with 7 vCPUs.+The plan has 1 vCPU,/)
    await act(id, 'roll-back')
    await world.run(id)
    expect(nova().flavors.map((flavor) => flavor.id)).toContain('theirs')
  })

  test('is an admin’s to save', async () => {
    await expect(createChange(world.ctx(READER), wanted())).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('a change of flavors', () => {
  test('writes a required trait with the suffix of each GPU, and leaves alone what requests none', async () => {
    const plain = withVgpu()
    const [trait = ''] = Object.keys(plain.extraSpecs)
      .filter((key) => key.startsWith('trait:'))
      .map((key) => key.slice('trait:'.length))
    expect(trait).not.toBe('')
    const one = { ...plain, id: 'one', name: 'one', extraSpecs: { 'resources:VGPU': '1' } }
    const two = {
      ...plain,
      id: 'two',
      name: 'two',
      extraSpecs: { 'resources1:VGPU': '1', 'resources2:VGPU': '1', group_policy: 'isolate' },
    }
    nova().flavors.push(one, two)
    await world.readAgain()
    const none = flavorNamed('m1.small')
    const done = await carryOut(changed(['one', 'two', none.id, plain.id], { trait }))
    expect(done).toMatchObject({ state: 'done', title: `${trait} required by 2 flavors` })
    expect(flavorNamed('one').extraSpecs).toEqual({ 'resources:VGPU': '1', [`trait:${trait}`]: 'required' })
    expect(flavorNamed('two').extraSpecs).toMatchObject({
      [`trait1:${trait}`]: 'required',
      [`trait2:${trait}`]: 'required',
    })
    expect(previewOfKind('flavor', done).flavorChange).toMatchObject({
      refusals: [{ name: 'm1.small', reason: expect.stringContaining('requests no GPU') }],
      unchanged: [plain.name],
    })
  })

  test('is refused with both values if the flavor was changed in the meantime, before and after', async () => {
    const { id: flavorId, name } = withVgpu()
    const input = changed([flavorId], { set: { hide_hypervisor_id: 'true' } })
    const { id } = await createChange(world.ctx(), input)
    flavorNamed(name).extraSpecs = { ...flavorNamed(name).extraSpecs, hide_hypervisor_id: 'false' }
    await act(id, 'start')
    await world.run(id)
    expect((await again(id)).steps[0]).toMatchObject({
      state: 'blocked',
      note: `${name}: the extra spec hide_hypervisor_id changed after the plan was made: from nothing to "false".`,
    })
    flavorNamed(name).extraSpecs = Object.fromEntries(
      Object.entries(flavorNamed(name).extraSpecs).filter(([key]) => key !== 'hide_hypervisor_id'),
    )
    await world.run(id)
    expect((await again(id)).state).toBe('done')
    flavorNamed(name).extraSpecs = { ...flavorNamed(name).extraSpecs, hide_hypervisor_id: 'yes' }
    await act(id, 'roll-back')
    await world.run(id)
    expect((await again(id)).steps[0]).toMatchObject({
      state: 'blocked',
      note: `${name}: the extra spec hide_hypervisor_id changed after this change wrote it: from "true" to "yes".`,
    })
    expect(flavorNamed(name).extraSpecs.hide_hypervisor_id).toBe('yes')
    flavorNamed(name).extraSpecs = { ...flavorNamed(name).extraSpecs, hide_hypervisor_id: 'true' }
    await world.run(id)
    expect((await again(id)).state).toBe('undone')
    expect(flavorNamed(name).extraSpecs).not.toHaveProperty('hide_hypervisor_id')
  })

  test('holds its flavors, so that a second change waits and names the first', async () => {
    const { id: flavorId, name } = withVgpu()
    const first = await createChange(
      world.ctx(),
      changed([flavorId], { set: { hide_hypervisor_id: 'true' } }),
    )
    const second = await createChange(world.ctx(), changed([flavorId], { description: 'other' }))
    await act(first.id, 'start')
    await expect(act(second.id, 'start')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`flavor ${name} is held by change ${first.id}`),
    })
    await world.run(first.id)
    await act(second.id, 'start')
    await world.run(second.id)
    expect(flavorNamed(name).description).toBe('other')
  })

  test('gives and takes access of private flavors alone', async () => {
    const [from = '', to = ''] = projectIds()
    nova().flavors.push({ ...withVgpu(), id: 'closed', name: 'closed', isPublic: false, projectIds: [from] })
    await world.readAgain()
    const open = withVgpu()
    const done = await carryOut(changed(['closed', open.id], { grant: [to], revoke: [from] }))
    expect(done.state).toBe('done')
    expect(flavorNamed('closed').projectIds).toEqual([to])
    expect(previewOfKind('flavor', done).flavorChange.refusals).toMatchObject([
      { name: open.name, reason: expect.stringContaining('public') },
    ])
    const text = await getRunbook(world.ctx(), { id: done.id, format: 'sh' })
    expect(JSON.stringify(text)).toContain(`openstack flavor set --project ${to} closed`)
  })

  test('states how many servers keep their copy', async () => {
    const flavorName =
      [...nova().servers.values()]
        .map(({ flavor }) => flavor.name)
        .find((name) => name.startsWith('vgpu.')) ?? ''
    const count = [...nova().servers.values()].filter(({ flavor }) => flavor.name === flavorName).length
    expect(count).toBeGreaterThan(0)
    const input = changed([flavorNamed(flavorName).id], { set: { hide_hypervisor_id: 'true' } })
    const plan = await previewChange(world.ctx(), input)
    expect(previewOfKind('flavor', plan).flavorChange.flavors).toMatchObject([
      { name: flavorName, servers: count },
    ])
  })
})

test('flavors that there are get an aggregate together, and it gets another host later without touching them', async () => {
  const [one = '', two = ''] = nova().computes.map(({ host }) => host)
  const { id, name } = withVgpu()
  const tie = { name: 'gpu-group', hosts: [one], properties: { gpu: 'true' } }
  const tied = (aggregate: typeof tie): PlanChange => ({
    ...changed([id], { aggregate }),
    isNoMatchAccepted: true,
  })
  await expect(createChange(world.ctx(), tied({ ...tie, hosts: ['nowhere'] }))).rejects.toThrow(
    /no nova-compute service on nowhere/,
  )
  const first = await carryOut(tied(tie))
  expect(first.state).toBe('done')
  expect(flavorNamed(name).extraSpecs).toMatchObject({ 'aggregate_instance_extra_specs:gpu': 'true' })
  await world.readAgain()
  const second = await carryOut(tied({ ...tie, hosts: [one, two] }))
  expect(second).toMatchObject({ state: 'done', title: 'Aggregate gpu-group' })
  expect(second.steps.map(({ title }) => title)).toEqual(['Add 1 host to the aggregate gpu-group'])
  expect(nova().aggregates.find((aggregate) => aggregate.name === tie.name)).toMatchObject({
    hosts: [one, two],
    metadata: { gpu: 'true' },
  })
  await world.readAgain()
  await expect(createChange(world.ctx(), tied({ ...tie, hosts: [two] }))).rejects.toThrow(
    /already has the requested state/,
  )
  for (const change of [second, first]) {
    await act(change.id, 'roll-back')
    await world.run(change.id)
    expect((await again(change.id)).state).toBe('undone')
  }
  expect(nova().aggregates.map((aggregate) => aggregate.name)).not.toContain(tie.name)
  expect(flavorNamed(name).extraSpecs).not.toHaveProperty('aggregate_instance_extra_specs:gpu')
})

test('what fails on the way leaves nothing half-made that a roll back does not find', async () => {
  const tools = world.toolsOf()
  const { id } = await createChange(world.ctx(), wanted())
  await act(id, 'start')
  const before = await world.snapshot()
  await world
    .run(id, {
      toolsOf: async (change) => {
        const next = await tools(change)
        const failing: ReturnType<typeof createNova> = {
          ...next.nova,
          writeExtraSpecs: () => Promise.reject(new Error('the line broke')),
        }
        return { ...next, nova: failing }
      },
      broke: () => undefined,
    })
    .catch(() => undefined)
  expect(flavorNamed('vgpu.test').extraSpecs).toEqual({})
  await act(id, 'stop').catch(() => undefined)
  await act(id, 'roll-back')
  await world.run(id)
  expect(await world.snapshot()).toEqual(before)
})

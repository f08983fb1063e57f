import { beforeEach, describe, expect, it } from 'vitest'
import { callApi } from '../testing/api-client'
import { openStackForTests } from '../testing/test-openstack'

const { get, placement } = openStackForTests({ hostCount: 2 })

const CONSUMER = 'c0ffee00-0000-4000-8000-000000000001'
const uuid = (index: number): string => `ab000000-0000-4000-8000-00000000000${index}`

const inventory = (total: number) => ({
  total,
  reserved: 0,
  min_unit: 1,
  max_unit: total,
  step_size: 1,
  allocation_ratio: 1.0,
})

const generationOf = async (at: string): Promise<number> =>
  ((await placement(`/resource_providers/${at}`)).body as { generation: number }).generation

const putInventories = async (at: string, inventories: unknown, generation?: number) =>
  placement(`/resource_providers/${at}/inventories`, {
    method: 'PUT',
    body: { resource_provider_generation: generation ?? (await generationOf(at)), inventories },
  })

const allocate = (amount: number, at = uuid(2), consumerGeneration: number | null = null) =>
  placement(`/allocations/${CONSUMER}`, {
    method: 'PUT',
    body: {
      allocations: { [at]: { resources: { VGPU: amount } } },
      project_id: 'p',
      user_id: 'u',
      consumer_generation: consumerGeneration,
      consumer_type: 'INSTANCE',
    },
  })

const errorOf = (reply: { body: unknown }) => (reply.body as { errors: Record<string, unknown>[] }).errors[0]

beforeEach(async () => {
  await placement(`/allocations/${CONSUMER}`, { method: 'DELETE' })
  for (const index of [2, 1]) await placement(`/resource_providers/${uuid(index)}`, { method: 'DELETE' })
  await placement('/resource_providers', { method: 'POST', body: { name: 'trap-root', uuid: uuid(1) } })
  await placement('/resource_providers', {
    method: 'POST',
    body: { name: 'trap-child', uuid: uuid(2), parent_provider_uuid: uuid(1) },
  })
  await putInventories(uuid(2), { VGPU: inventory(4) })
})

describe('microversions', () => {
  it('are 1.0 when none is requested: no parents, no codes', async () => {
    const reply = await placement(`/resource_providers?name=trap-child`, { version: null })
    expect(reply.headers.get('openstack-api-version')).toBe('placement 1.0')
    expect(reply.text).not.toContain('parent_provider_uuid')
    const gone = await placement('/resource_providers/ffffffff-0000-4000-8000-000000000000', {
      version: null,
    })
    expect(gone.status).toBe(404)
    expect(errorOf(gone)).not.toHaveProperty('code')
    expect((await placement('/traits', { version: null })).status).toBe(404)
  })

  it('that are not supported get 406 with the bounds', async () => {
    const reply = await placement('/resource_providers', { version: '1.99' })
    expect(reply.status).toBe(406)
    expect(errorOf(reply)).toMatchObject({ min_version: '1.0', max_version: '1.39', title: 'Not Acceptable' })
  })

  it('stand in every answer, with Vary', async () => {
    const reply = await placement('/resource_providers')
    expect(reply.headers.get('openstack-api-version')).toBe('placement 1.39')
    expect(reply.headers.get('vary')).toBe('OpenStack-API-Version')
  })
})

describe('access', () => {
  it('is for admins of a project', async () => {
    expect((await placement('/resource_providers', { scope: 'system' })).status).toBe(403)
    expect((await placement('/resource_providers', { as: 'reader' })).status).toBe(403)
    const tenant = await placement('/resource_providers', { as: 'tenant' })
    expect(errorOf(tenant)?.detail).toContain(
      'Policy does not allow placement:resource_providers:list to be performed.',
    )
    const none = await callApi(`${get().origin}/placement/resource_providers`)
    expect(none.status).toBe(401)
    expect((await callApi(`${get().origin}/placement/`)).status).toBe(200)
  })

  it('to usages is also for readers of the project itself', async () => {
    const { keystone } = get().cloud
    const own = keystone.projects.find(({ name }) => name === 'cfd-lab')?.id
    const other = keystone.projects.find(({ name }) => name === 'render-farm')?.id
    expect((await placement(`/usages?project_id=${own}`, { as: 'tenant' })).status).toBe(200)
    expect((await placement(`/usages?project_id=${other}`, { as: 'tenant' })).status).toBe(403)
  })
})

describe('the list of providers', () => {
  it('knows neither paging nor other parameters', async () => {
    const reply = await placement('/resource_providers?limit=10')
    expect(reply.status).toBe(400)
    expect(errorOf(reply)?.detail).toContain("'limit' was unexpected")
  })

  it('gives a whole tree for any of its uuids', async () => {
    const reply = await placement(`/resource_providers?in_tree=${uuid(2)}`)
    expect(reply.body).toMatchObject({
      resource_providers: [
        { name: 'trap-root', parent_provider_uuid: null, root_provider_uuid: uuid(1) },
        { name: 'trap-child', parent_provider_uuid: uuid(1), root_provider_uuid: uuid(1) },
      ],
    })
  })

  it('by resources leaves full ones out, and by an unknown trait is refused', async () => {
    const names = async () => (await placement('/resource_providers?resources=VGPU:1')).text
    expect(await names()).toContain('trap-child')
    await allocate(4)
    expect(await names()).not.toContain('trap-child')
    const unknown = await placement('/resource_providers?required=CUSTOM_NOBODY')
    expect(unknown.status).toBe(400)
    expect(errorOf(unknown)?.detail).toContain('No such trait(s): CUSTOM_NOBODY.')
  })

  it('takes any of several traits and the absence of one', async () => {
    for (const name of ['CUSTOM_A', 'CUSTOM_B']) await placement(`/traits/${name}`, { method: 'PUT' })
    await placement(`/resource_providers/${uuid(2)}/traits`, {
      method: 'PUT',
      body: { resource_provider_generation: await generationOf(uuid(2)), traits: ['CUSTOM_A'] },
    })
    const names = async (query: string) =>
      (await placement(`/resource_providers?in_tree=${uuid(1)}&${query}`)).text
    expect(await names('required=in:CUSTOM_A,CUSTOM_B')).toContain('trap-child')
    expect(await names('required=CUSTOM_B')).not.toContain('trap-child')
    expect(await names('required=!CUSTOM_A')).not.toContain('trap-child')
    expect((await placement('/resource_providers?required=in:CUSTOM_A', { version: '1.38' })).status).toBe(
      400,
    )
  })
})

describe('inventories', () => {
  it('under an old generation are refused, and raise it otherwise', async () => {
    const before = await generationOf(uuid(2))
    const stale = await putInventories(uuid(2), { VGPU: inventory(5) }, before - 1)
    expect(stale.status).toBe(409)
    expect(errorOf(stale)).toMatchObject({ code: 'placement.concurrent_update', title: 'Conflict' })
    expect((await putInventories(uuid(2), { VGPU: inventory(5) })).body).toMatchObject({
      resource_provider_generation: before + 1,
    })
  })

  it('of nothing or of an unknown class are refused', async () => {
    expect((await putInventories(uuid(2), { VGPU: inventory(0) })).status).toBe(400)
    expect((await putInventories(uuid(2), { CUSTOM_NOBODY: inventory(1) })).status).toBe(400)
  })

  it('in use can shrink but not vanish, and say so with different codes', async () => {
    await allocate(3)
    const vanished = await putInventories(uuid(2), {})
    expect(vanished.status).toBe(409)
    expect(errorOf(vanished)).toMatchObject({ code: 'placement.inventory.inuse' })
    const deleted = await placement(`/resource_providers/${uuid(2)}/inventories/VGPU`, { method: 'DELETE' })
    expect(deleted.status).toBe(409)
    expect(errorOf(deleted)).toMatchObject({ code: 'placement.concurrent_update' })
    expect((await putInventories(uuid(2), { VGPU: inventory(1) })).status).toBe(200)
  })

  it('may be reserved to the last one', async () => {
    const reply = await placement(`/resource_providers/${uuid(2)}/inventories/VGPU`, {
      method: 'PUT',
      body: { resource_provider_generation: await generationOf(uuid(2)), total: 4, reserved: 4 },
    })
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ total: 4, reserved: 4 })
  })
})

describe('providers', () => {
  it('stay while they have children or allocations, and share no name', async () => {
    const parent = await placement(`/resource_providers/${uuid(1)}`, { method: 'DELETE' })
    expect(parent.status).toBe(409)
    expect(errorOf(parent)).toMatchObject({ code: 'placement.resource_provider.cannot_delete_parent' })
    await allocate(1)
    const used = await placement(`/resource_providers/${uuid(2)}`, { method: 'DELETE' })
    expect(used.status).toBe(409)
    expect(errorOf(used)).toMatchObject({ code: 'placement.resource_provider.inuse' })
    const twin = await placement('/resource_providers', { method: 'POST', body: { name: 'trap-root' } })
    expect(twin.status).toBe(409)
    expect(errorOf(twin)).toMatchObject({ code: 'placement.duplicate_name' })
  })
})

describe('traits', () => {
  const put = async (traits: string[], generation?: number) =>
    placement(`/resource_providers/${uuid(2)}/traits`, {
      method: 'PUT',
      body: { resource_provider_generation: generation ?? (await generationOf(uuid(2))), traits },
    })

  it('are replaced whole, must be known, and count only when they change', async () => {
    await placement('/traits/CUSTOM_A', { method: 'PUT' })
    expect((await put(['CUSTOM_NOBODY'])).status).toBe(400)
    const first = await put(['CUSTOM_A', 'HW_GPU_API_VULKAN'])
    const generation = await generationOf(uuid(2))
    expect(first.body).toMatchObject({ resource_provider_generation: generation })
    expect((await put(['HW_GPU_API_VULKAN', 'CUSTOM_A'])).body).toMatchObject({
      resource_provider_generation: generation,
    })
    expect((await put(['CUSTOM_A'])).body).toEqual({
      traits: ['CUSTOM_A'],
      resource_provider_generation: generation + 1,
    })
    const stale = await put([], generation)
    expect(stale.status).toBe(409)
    expect(errorOf(stale)).toMatchObject({ code: 'placement.concurrent_update' })
  })

  it('are created once, retained while used, and standard ones permanently', async () => {
    await placement('/traits/CUSTOM_ONCE', { method: 'DELETE' })
    expect((await placement('/traits/CUSTOM_ONCE', { method: 'PUT' })).status).toBe(201)
    expect((await placement('/traits/CUSTOM_ONCE', { method: 'PUT' })).status).toBe(204)
    expect((await placement('/traits/custom_once', { method: 'PUT' })).status).toBe(400)
    await put(['CUSTOM_ONCE'])
    expect((await placement('/traits/CUSTOM_ONCE', { method: 'DELETE' })).status).toBe(409)
    expect((await placement('/traits/HW_GPU_API_VULKAN', { method: 'DELETE' })).status).toBe(400)
    const listed = await placement('/traits?name=startswith:CUSTOM_ONCE&associated=true')
    expect(listed.body).toEqual({ traits: ['CUSTOM_ONCE'] })
  })
})

describe('resource classes', () => {
  it('are created by PUT any number of times and by POST once', async () => {
    expect([201, 204]).toContain((await placement('/resource_classes/CUSTOM_CARD', { method: 'PUT' })).status)
    expect((await placement('/resource_classes/CUSTOM_CARD', { method: 'PUT' })).status).toBe(204)
    const twice = await placement('/resource_classes', { method: 'POST', body: { name: 'CUSTOM_CARD' } })
    expect(twice.status).toBe(409)
    expect((await placement('/resource_classes/CARD', { method: 'PUT' })).status).toBe(400)
    expect((await placement('/resource_classes/VGPU', { method: 'DELETE' })).status).toBe(400)
  })
})

describe('allocations', () => {
  it('over the capacity are refused without a specific code', async () => {
    const reply = await allocate(5)
    expect(reply.status).toBe(409)
    expect(errorOf(reply)).toMatchObject({ code: 'placement.undefined_code' })
    expect(errorOf(reply)?.detail).toContain('Unable to allocate inventory')
  })

  it('raise the generation when taken and not when given back', async () => {
    const before = await generationOf(uuid(2))
    expect((await allocate(1)).status).toBe(204)
    expect(await generationOf(uuid(2))).toBe(before + 1)
    expect((await placement(`/allocations/${CONSUMER}`, { method: 'DELETE' })).status).toBe(204)
    expect(await generationOf(uuid(2))).toBe(before + 1)
    expect((await placement(`/allocations/${CONSUMER}`, { method: 'DELETE' })).status).toBe(404)
  })

  it('need the consumer’s own generation', async () => {
    expect((await allocate(1, uuid(2), 3)).status).toBe(409)
    await allocate(1)
    const again = await allocate(2)
    expect(errorOf(again)).toMatchObject({ code: 'placement.concurrent_update' })
    expect((await allocate(2, uuid(2), 1)).status).toBe(204)
    expect((await placement(`/allocations/${CONSUMER}`)).body).toMatchObject({
      allocations: { [uuid(2)]: { resources: { VGPU: 2 } } },
      consumer_generation: 2,
      consumer_type: 'INSTANCE',
      project_id: 'p',
    })
    expect((await placement(`/resource_providers/${uuid(2)}/allocations`)).body).toMatchObject({
      allocations: { [CONSUMER]: { resources: { VGPU: 2 }, consumer_generation: 2 } },
    })
  })

  it('of an unknown consumer are an empty answer', async () => {
    const reply = await placement('/allocations/dddddddd-0000-4000-8000-000000000000')
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({ allocations: {} })
  })

  it('are summed up by project, by type from 1.38 on', async () => {
    await allocate(3)
    expect((await placement('/usages?project_id=p')).body).toEqual({
      usages: { INSTANCE: { VGPU: 3, consumer_count: 1 } },
    })
    expect((await placement('/usages?project_id=p', { version: '1.37' })).body).toEqual({
      usages: { VGPU: 3 },
    })
    expect((await placement('/usages')).status).toBe(400)
  })
})

describe('candidates', () => {
  type Candidates = {
    allocation_requests: { allocations: Record<string, unknown>; mappings: Record<string, string[]> }[]
    provider_summaries: Record<string, { traits: string[]; parent_provider_uuid: string | null }>
  }
  const ask = async (query: string) => (await placement(`/allocation_candidates?${query}`)).body as Candidates

  it('carry the summaries of every provider of trees that have one, and of no others', async () => {
    const all = await ask('resources=VCPU:1')
    const hosts = get().cloud.nova.computes.map(({ uuid: id }) => id)
    expect(all.allocation_requests).toHaveLength(hosts.length)
    expect(Object.keys(all.provider_summaries).sort()).toEqual(
      [...get().cloud.placement.providers.values()]
        .filter(({ rootUuid }) => hosts.includes(rootUuid))
        .map(({ uuid: id }) => id)
        .sort(),
    )
    const one = await ask('resources=VCPU:1&limit=1')
    expect(one.allocation_requests).toHaveLength(1)
    expect(Object.keys(one.provider_summaries).length).toBeLessThan(
      Object.keys(all.provider_summaries).length,
    )
  })

  it('leave a full tree out whole', async () => {
    expect(Object.keys((await ask('resources=VGPU:1')).provider_summaries)).toContain(uuid(1))
    await allocate(4)
    expect(Object.keys((await ask('resources=VGPU:1')).provider_summaries)).not.toContain(uuid(1))
  })

  it('of several groups need a policy, and traits need a resource', async () => {
    const missing = await placement('/allocation_candidates?resources1=VGPU:1&resources2=VGPU:1')
    expect(missing.status).toBe(400)
    expect(errorOf(missing)?.detail).toContain('group_policy')
    const orphan = await placement('/allocation_candidates?resources=VCPU:1&required1=CUSTOM_A')
    expect(orphan.status).toBe(400)
    expect((await placement('/allocation_candidates?resources=VGPU:1&required=CUSTOM_NOBODY')).status).toBe(
      400,
    )
    expect((await placement('/allocation_candidates')).status).toBe(400)
  })
})

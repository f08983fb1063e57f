import { afterEach, describe, expect, it } from 'vitest'
import { projectIdOf } from '../demo-cloud/accounts'
import { callApi } from '../testing/api-client'
import { openStackForTests } from '../testing/test-openstack'

const { get, nova, keystone } = openStackForTests({ hostCount: 4 })

type Listed = {
  servers: { id: string; tenant_id: string }[]
  servers_links?: { rel: string; href: string }[]
}

const firstHost = (): string => get().cloud.nova.computes[0]?.host ?? ''
const serviceId = (): string => get().cloud.nova.computes[0]?.serviceId ?? ''

afterEach(() => {
  get().controls.heal()
})

describe('microversions', () => {
  it('are public, and 2.1 when none is requested', async () => {
    const found = await callApi(`${get().origin}/compute/v2.1/`)
    expect(found.body).toMatchObject({ version: { version: '2.100', min_version: '2.1' } })
    const reply = await nova('/servers', { version: null })
    expect(reply.headers.get('openstack-api-version')).toBe('compute 2.1')
    expect(reply.headers.get('x-openstack-nova-api-version')).toBe('2.1')
    expect(reply.headers.get('vary')).toBe('OpenStack-API-Version, X-OpenStack-Nova-API-Version')
    expect(reply.headers.get('x-compute-request-id')).toBe(reply.headers.get('x-openstack-request-id'))
  })

  it('too new get 406 with the bounds, by the older header too', async () => {
    const reply = await nova('/servers', { version: '2.200' })
    expect(reply.status).toBe(406)
    expect(reply.body).toMatchObject({
      computeFault: { code: 406, max_version: '2.100', min_version: '2.1' },
    })
    const old = await nova('/servers', { version: null, headers: { 'x-openstack-nova-api-version': '2.95' } })
    expect(old.headers.get('x-openstack-nova-api-version')).toBe('2.95')
  })

  it('needs a token that holds', async () => {
    const reply = await nova('/servers', { token: 'gAAAAAunknown' })
    expect(reply.status).toBe(401)
    expect(reply.headers.get('www-authenticate')).toContain('Keystone uri=')
  })
})

describe('servers', () => {
  it('of all projects are an admin’s to see, with host and guest name', async () => {
    const reply = await nova(`/servers/detail?all_tenants=1&host=${firstHost()}`)
    const { servers } = reply.body as { servers: Record<string, unknown>[] }
    expect(servers.length).toBeGreaterThan(0)
    for (const server of servers) {
      expect(server['OS-EXT-SRV-ATTR:host']).toBe(firstHost())
      expect(server['OS-EXT-SRV-ATTR:instance_name']).toMatch(/^instance-[0-9a-f]{8}$/)
      expect(server).toHaveProperty('flavor.original_name')
      expect(server).toHaveProperty('flavor.extra_specs')
    }
    const refused = await nova('/servers/detail?all_tenants=1', { as: 'tenant' })
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('os_compute_api:servers:detail:get_all_tenants')
  })

  it('of a tenant are its own, without hosts, and those of others are not there', async () => {
    const reply = await nova('/servers/detail', { as: 'tenant' })
    const { servers } = reply.body as Listed
    expect(servers.length).toBeGreaterThan(0)
    expect(new Set(servers.map((server) => server.tenant_id))).toEqual(new Set([projectIdOf('cfd-lab')]))
    expect(reply.text).not.toContain('OS-EXT-SRV-ATTR:host"')
    const foreign = [...get().cloud.nova.servers.values()].find(
      (server) => server.projectId !== projectIdOf('cfd-lab'),
    )
    expect((await nova(`/servers/${foreign?.uuid}`, { as: 'tenant' })).status).toBe(404)
    expect((await nova(`/servers/${foreign?.uuid}`)).status).toBe(200)
  })

  it('come in pages that the link leads through, each once', async () => {
    get().cloud.nova.maxLimit = 7
    const seen: string[] = []
    let at: string | null = '/servers/detail?all_tenants=1'
    while (at !== null) {
      const { servers, servers_links: links } = (await nova(at)).body as Listed
      expect(servers.length).toBeLessThanOrEqual(7)
      seen.push(...servers.map((server) => server.id))
      at = links?.[0]?.href.split('/v2.1')[1] ?? null
    }
    expect(seen.sort()).toEqual([...get().cloud.nova.servers.keys()].sort())
    const wrong = await nova('/servers?marker=unknown')
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('marker [unknown] not found')
  })

  it('that changed can be requested', async () => {
    const since = new Date(Date.now() + 60_000).toISOString()
    expect((await nova(`/servers?all_tenants=1&changes-since=${since}`)).body).toMatchObject({ servers: [] })
  })

  it('in ERROR say why', async () => {
    get().controls.failServer()
    const reply = await nova('/servers/detail?all_tenants=1&status=error')
    expect(reply.body).toMatchObject({
      servers: [{ status: 'ERROR', fault: { message: expect.stringContaining('No valid host was found') } }],
    })
  })
})

describe('services', () => {
  it('are an admin’s matter', async () => {
    const reply = await nova('/os-services', { as: 'reader' })
    expect(reply.status).toBe(403)
    expect(reply.text).toContain("Policy doesn't allow os_compute_api:os-services:list to be performed.")
  })

  it('are disabled with a reason, which an enabled one can’t have', async () => {
    const put = (body: unknown) => nova(`/os-services/${serviceId()}`, { method: 'PUT', body })
    const reply = await put({ status: 'disabled', disabled_reason: 'new cards' })
    expect(reply.body).toMatchObject({
      service: { status: 'disabled', disabled_reason: 'new cards', state: 'up' },
    })
    expect((await put({ status: 'enabled', disabled_reason: 'why' })).status).toBe(400)
    expect((await put({ status: 'disabled', disabled_reason: '' })).status).toBe(400)
    expect((await put({})).status).toBe(400)
    const hypervisors = await nova('/os-hypervisors/detail')
    expect(hypervisors.body).toMatchObject({
      hypervisors: [{ status: 'disabled', service: { disabled_reason: 'new cards' } }, {}, {}, {}],
    })
    const root = get().cloud.placement.providers.get(get().cloud.nova.computes[0]?.uuid ?? '')
    expect(root?.traits.has('COMPUTE_STATUS_DISABLED')).toBe(true)
    expect((await put({ status: 'enabled' })).body).toMatchObject({ service: { disabled_reason: null } })
    expect(root?.traits.has('COMPUTE_STATUS_DISABLED')).toBe(false)
  })

  it('of a cell that can’t be reached are UNKNOWN and say no more', async () => {
    get().controls.loseCell({ host: firstHost() })
    const reply = await nova(`/os-services?binary=nova-compute&host=${firstHost()}`)
    expect(reply.body).toEqual({
      services: [{ binary: 'nova-compute', host: firstHost(), status: 'UNKNOWN' }],
    })
    const old = await nova(`/os-services?binary=nova-compute&host=${firstHost()}`, { version: '2.68' })
    expect(old.body).toEqual({ services: [] })
  })

  it('can be down, or forced to be', async () => {
    get().controls.stopService({ host: firstHost() })
    const state = async () => (await nova(`/os-services?host=${firstHost()}`)).body
    expect(await state()).toMatchObject({
      services: [{ state: 'down', status: 'enabled', forced_down: false }],
    })
    get().controls.enableService({ host: firstHost() })
    await nova(`/os-services/${serviceId()}`, { method: 'PUT', body: { forced_down: true } })
    expect(await state()).toMatchObject({ services: [{ state: 'down', forced_down: true }] })
  })
})

describe('hypervisors', () => {
  it('are roots in Placement and have no totals from 2.88 on', async () => {
    const reply = await nova('/os-hypervisors/detail?with_servers=true')
    const { hypervisors } = reply.body as { hypervisors: { id: string; servers: unknown[] }[] }
    expect(hypervisors.map(({ id }) => get().cloud.placement.providers.get(id)?.parentUuid)).toEqual([
      null,
      null,
      null,
      null,
    ])
    expect(hypervisors.flatMap(({ servers }) => servers)).toHaveLength(get().cloud.nova.servers.size)
    expect(reply.text).not.toContain('"vcpus"')
    expect((await nova('/os-hypervisors/detail', { version: '2.87' })).text).toContain('"vcpus":128')
  })

  it('are named by their hypervisor, not by their service', async () => {
    const reply = await nova('/os-hypervisors/detail?hypervisor_hostname_pattern=r5-03')
    expect(reply.body).toMatchObject({
      hypervisors: [{ hypervisor_hostname: 'cmp-r5-03.paris.example', service: { host: 'cmp-r5-03' } }],
    })
    expect((await nova('/os-hypervisors/detail?hypervisor_hostname_pattern=unknown')).status).toBe(404)
  })
})

describe('flavors', () => {
  const create = (name: string, more: Record<string, unknown> = {}) =>
    nova('/flavors', { method: 'POST', body: { flavor: { name, vcpus: 2, ram: 4096, disk: 10, ...more } } })
  const idOf = (reply: { body: unknown }): string => (reply.body as { flavor: { id: string } }).flavor.id

  it('that are private are seen by an admin who asks, and by projects that may use them', async () => {
    const id = idOf(await create('private', { 'os-flavor-access:is_public': false }))
    const names = async (query: string, as: 'admin' | 'tenant' = 'admin') =>
      (await nova(`/flavors/detail${query}`, { as })).text
    expect(await names('')).not.toContain('"private"')
    expect(await names('?is_public=None')).toContain('"private"')
    expect(await names('?is_public=None', 'tenant')).not.toContain('"private"')
    const act = (body: unknown) => nova(`/flavors/${id}/action`, { method: 'POST', body })
    expect((await act({ addTenantAccess: { tenant: 'unknown' } })).status).toBe(400)
    const tenant = projectIdOf('cfd-lab')
    expect((await act({ addTenantAccess: { tenant } })).body).toEqual({
      flavor_access: [{ flavor_id: id, tenant_id: tenant }],
    })
    expect((await act({ addTenantAccess: { tenant } })).status).toBe(409)
    expect(await names('', 'tenant')).toContain('"private"')
    expect((await act({ removeTenantAccess: { tenant } })).status).toBe(200)
    expect((await act({ removeTenantAccess: { tenant } })).status).toBe(404)
  })

  it('that are public have no access list', async () => {
    const id = idOf(await create('public'))
    expect((await nova(`/flavors/${id}/os-flavor-access`)).status).toBe(404)
    const add = await nova(`/flavors/${id}/action`, {
      method: 'POST',
      body: { addTenantAccess: { tenant: projectIdOf('cfd-lab') } },
    })
    expect(add.status).toBe(409)
  })

  it('share no name, and are made by admins', async () => {
    await create('once')
    expect((await create('once')).status).toBe(409)
    const refused = await nova('/flavors', { method: 'POST', as: 'tenant', body: {} })
    expect(refused.status).toBe(403)
  })

  it.each([
    ['resources:VGPU', '1', 200],
    ['resources1:CUSTOM_A40_4Q', '2', 200],
    ['resources:VGPU', 'vgpu:1', 400],
    ['trait:CUSTOM_NVIDIA_A40_4Q', 'required', 200],
    ['trait:CUSTOM_NVIDIA_A40_4Q', 'yes', 400],
    ['group_policy', 'both', 400],
    ['pci_passthrough:alias', 'l40s-8q:1', 200],
    ['pci_passthrough:alias', 'l40s-8q', 400],
    ['hw:nonsense', '1', 400],
    ['acme:anything', '1', 200],
  ])('take %s=%s with %i', async (key, value, status) => {
    const id = idOf(await create(`specs ${key} ${value}`))
    const put = (version: string) =>
      nova(`/flavors/${id}/os-extra_specs`, {
        method: 'POST',
        version,
        body: { extra_specs: { [key]: value } },
      })
    expect((await put('2.86')).status).toBe(status)
    expect((await put('2.85')).status).toBe(200)
    expect((await nova(`/flavors/${id}/os-extra_specs/${encodeURIComponent(key)}`)).body).toEqual({
      [key]: value,
    })
  })

  it('leave what servers have copied alone', async () => {
    const server = [...get().cloud.nova.servers.values()].find(
      ({ flavor }) => 'resources:VGPU' in flavor.extraSpecs,
    )
    const flavor = get().cloud.nova.flavors.find(({ name }) => name === server?.flavor.name)
    await nova(`/flavors/${flavor?.id}/os-extra_specs/${encodeURIComponent('resources:VGPU')}`, {
      method: 'DELETE',
    })
    const reply = await nova(`/servers/${server?.uuid}`)
    expect(reply.body).toHaveProperty(['server', 'flavor', 'extra_specs', 'resources:VGPU'], '1')
  })
})

describe('aggregates', () => {
  it('are mirrored to the root provider, and take metadata away by null', async () => {
    const made = await nova('/os-aggregates', { method: 'POST', body: { aggregate: { name: 'new' } } })
    const { aggregate } = made.body as { aggregate: { id: number; uuid: string } }
    const act = (body: unknown) => nova(`/os-aggregates/${aggregate.id}/action`, { method: 'POST', body })
    const root = get().cloud.placement.providers.get(get().cloud.nova.computes[0]?.uuid ?? '')
    expect((await act({ add_host: { host: firstHost() } })).status).toBe(200)
    expect(root?.aggregates.has(aggregate.uuid)).toBe(true)
    expect((await act({ add_host: { host: firstHost() } })).status).toBe(409)
    expect((await act({ add_host: { host: 'unknown' } })).status).toBe(404)
    expect((await act({ set_metadata: { metadata: { gpu: 'a40' } } })).body).toMatchObject({
      aggregate: { metadata: { gpu: 'a40' } },
    })
    expect((await act({ set_metadata: { metadata: { gpu: null } } })).body).toMatchObject({
      aggregate: { metadata: {} },
    })
    expect((await nova(`/os-aggregates/${aggregate.id}`, { method: 'DELETE' })).status).toBe(400)
    await act({ remove_host: { host: firstHost() } })
    expect(root?.aggregates.has(aggregate.uuid)).toBe(false)
    expect((await nova('/os-aggregates', { as: 'tenant' })).status).toBe(403)
  })
})

it('shows Keystone’s limits as quotas, without vGPUs, and ignores changes with 200', async () => {
  const project = projectIdOf('cfd-lab')
  const limits = await keystone(`/limits?project_id=${project}&resource_name=servers`, { scope: 'system' })
  const { limits: rows } = limits.body as { limits: { resource_limit: number }[] }
  const shown = await nova(`/os-quota-sets/${project}`, { as: 'tenant' })
  expect(shown.body).toMatchObject({ quota_set: { instances: rows[0]?.resource_limit } })
  expect(shown.text).not.toContain('VGPU')
  const put = await nova(`/os-quota-sets/${project}`, {
    method: 'PUT',
    body: { quota_set: { instances: 1 } },
  })
  expect(put.status).toBe(200)
  expect((await nova(`/os-quota-sets/${project}`)).body).toEqual(shown.body)
  get().controls.loseRegion({ resource: 'servers' })
  expect((await nova(`/os-quota-sets/${project}`)).body).toMatchObject({ quota_set: { instances: 0 } })
})

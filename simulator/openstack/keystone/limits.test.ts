import { beforeEach, describe, expect, it } from 'vitest'
import { projectIdOf } from '../demo-cloud/accounts'
import { serviceIdOf } from '../demo-cloud/catalog'
import { openStackForTests } from '../testing/test-openstack'

const { keystone, get } = openStackForTests()

const SERVICE = serviceIdOf('compute')
const RESOURCE = 'class:CUSTOM_TRAP'
const PROJECT = projectIdOf('cfd-lab')

const key = (region: string | null = 'RegionOne') => ({
  service_id: SERVICE,
  region_id: region,
  resource_name: RESOURCE,
})

const register = async (region: string | null = 'RegionOne', value = 8) => {
  const reply = await keystone('/registered_limits', {
    method: 'POST',
    body: { registered_limits: [{ ...key(region), default_limit: value }] },
  })
  const { registered_limits: rows } = reply.body as { registered_limits?: { id: string }[] }
  return { status: reply.status, id: rows?.[0]?.id ?? '' }
}

const limit = async (value: number, region: string | null = 'RegionOne', project = PROJECT) => {
  const reply = await keystone('/limits', {
    method: 'POST',
    body: { limits: [{ ...key(region), project_id: project, resource_limit: value }] },
  })
  const { limits } = reply.body as { limits?: { id: string }[] }
  return { status: reply.status, id: limits?.[0]?.id ?? '', text: reply.text }
}

const storedValue = async (id: string): Promise<number> => {
  const reply = await keystone(`/limits/${id}`, { scope: 'system' })
  return (reply.body as { limit: { resource_limit: number } }).limit.resource_limit
}

beforeEach(() => {
  const { keystone: state } = get().cloud
  state.limits = state.limits.filter(({ resourceName }) => resourceName !== RESOURCE)
  state.registeredLimits = state.registeredLimits.filter(({ resourceName }) => resourceName !== RESOURCE)
})

describe('a project limit', () => {
  it('set to 0 by PATCH answers 200 and keeps its value; -1 and other numbers work', async () => {
    await register()
    const { id } = await limit(5)
    const patch = (value: number) =>
      keystone(`/limits/${id}`, { method: 'PATCH', body: { limit: { resource_limit: value } } })
    expect((await patch(0)).status).toBe(200)
    expect(await storedValue(id)).toBe(5)
    expect((await patch(-1)).status).toBe(200)
    expect(await storedValue(id)).toBe(-1)
  })

  it('is 0 when it was made so', async () => {
    await register()
    const { id } = await limit(0)
    expect(await storedValue(id)).toBe(0)
  })

  it('takes nothing but a value and a description', async () => {
    await register()
    const { id } = await limit(5)
    const reply = await keystone(`/limits/${id}`, {
      method: 'PATCH',
      body: { limit: { resource_limit: 4, region_id: null } },
    })
    expect(reply.status).toBe(400)
    expect(await storedValue(id)).toBe(5)
  })

  it('needs a registered limit of the very same region', async () => {
    await register(null)
    const refused = await limit(5)
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('no corresponding registered limit')
    expect((await limit(5, null)).status).toBe(201)
  })

  it('exists once', async () => {
    await register()
    await limit(5)
    const again = await limit(6)
    expect(again.status).toBe(409)
    expect(again.text).toContain('Duplicate entry')
  })

  it('comes with its whole batch or not at all', async () => {
    await register()
    const input = (project: string) => ({ ...key(), project_id: project, resource_limit: 3 })
    const reply = await keystone('/limits', {
      method: 'POST',
      body: { limits: [input(PROJECT), input('00000000000000000000000000000000')] },
    })
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('Expecting to find project')
    expect(get().cloud.keystone.limits.filter(({ resourceName }) => resourceName === RESOURCE)).toEqual([])
  })

  it('of another project is out of sight for an admin of a project, and in sight for the system', async () => {
    await register()
    await limit(5)
    const path = `/limits?project_id=${PROJECT}&resource_name=${RESOURCE}`
    expect((await keystone(path)).body).toMatchObject({ limits: [] })
    expect((await keystone(path, { scope: 'system' })).body).toMatchObject({
      limits: [{ resource_limit: 5, project_id: PROJECT, domain_id: null, region_id: 'RegionOne' }],
    })
    expect((await keystone(path, { as: 'tenant' })).body).toMatchObject({ limits: [{ resource_limit: 5 }] })
  })

  it('is created by admins only', async () => {
    await register()
    const refused = await keystone('/limits', {
      method: 'POST',
      as: 'reader',
      scope: 'system',
      body: { limits: [{ ...key(), project_id: PROJECT, resource_limit: 1 }] },
    })
    expect(refused.status).toBe(403)
  })
})

describe('a registered limit', () => {
  it('cannot change while a project limit refers to it', async () => {
    const { id } = await register()
    const own = await limit(5)
    const patch = () =>
      keystone(`/registered_limits/${id}`, {
        method: 'PATCH',
        body: { registered_limit: { default_limit: 0 } },
      })
    expect((await patch()).status).toBe(403)
    expect((await keystone(`/registered_limits/${id}`, { method: 'DELETE' })).status).toBe(403)
    await keystone(`/limits/${own.id}`, { method: 'DELETE' })
    expect((await patch()).body).toMatchObject({ registered_limit: { default_limit: 0 } })
    expect((await keystone(`/registered_limits/${id}`, { method: 'DELETE' })).status).toBe(204)
  })

  it('without a region is another row, which the region filter does not find', async () => {
    expect((await register()).status).toBe(201)
    expect((await register(null)).status).toBe(201)
    expect((await register(null)).status).toBe(409)
    const found = async (query: string) => {
      const reply = await keystone(`/registered_limits?resource_name=${RESOURCE}${query}`, { as: 'tenant' })
      return (reply.body as { registered_limits: { region_id: string | null }[] }).registered_limits
    }
    expect((await found('&region_id=RegionOne')).map((row) => row.region_id)).toEqual(['RegionOne'])
    expect(await found('')).toHaveLength(2)
  })

  it.each([-2, 2_147_483_648, 1.5])('is not %d', async (value) => {
    expect((await register('RegionOne', value)).status).toBe(400)
  })

  it('needs a service and a region that exist', async () => {
    const reply = await keystone('/registered_limits', {
      method: 'POST',
      body: { registered_limits: [{ ...key('Nowhere'), default_limit: 1 }] },
    })
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('Expecting to find region Nowhere')
  })
})

it('cuts long lists and reports that', async () => {
  const { keystone: state } = get().cloud
  state.listLimit = 2
  try {
    const reply = await keystone('/registered_limits')
    expect(reply.body).toMatchObject({ truncated: true })
    expect((reply.body as { registered_limits: unknown[] }).registered_limits).toHaveLength(2)
  } finally {
    state.listLimit = null
  }
})

it('names its model', async () => {
  expect((await keystone('/limits/model', { as: 'tenant' })).body).toMatchObject({ model: { name: 'flat' } })
  get().controls.setModel({ kind: 'strict' })
  expect((await keystone('/limits/model')).body).toMatchObject({ model: { name: 'strict_two_level' } })
  get().controls.setModel({ kind: 'flat' })
})

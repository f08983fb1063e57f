import { afterEach, describe, expect, it } from 'vitest'
import { createServiceAccount } from '../session/create-service-account'
import { serveCloud } from '../testing/served-cloud'
import type { Answerer } from '../transport/testing/serve'
import { createNova } from './create-nova'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const NOT_FOUND = { status: 404, body: { itemNotFound: { code: 404, message: 'Not found' } } }

const open = async (answer: Answerer, options = {}) => {
  const served = await serveCloud(answer, options)
  const account = createServiceAccount(served.config)
  cleanups.push(account.close, served.stop)
  return { served, nova: createNova({ account }) }
}

const server = (id: string) => ({ id, status: 'ACTIVE', name: id, tenant_id: 'p' })
const isServers = (url: string) => url.startsWith('/compute/v2.1/servers/detail')

describe('createNova', () => {
  it.each([
    ['2.90', '2.90'],
    ['2.93', '2.93'],
    ['2.96', '2.96'],
    ['2.104', '2.96'],
  ])('asks a Nova of %s for %s', async (novaMax, sent) => {
    const { nova, served } = await open(
      ({ url }) => (url.startsWith('/compute') ? { body: { services: [] } } : NOT_FOUND),
      { novaMax },
    )
    await nova.listServices()
    expect(served.seen.at(-1)?.headers['openstack-api-version']).toBe(`compute ${sent}`)
  })

  it('lists hypervisors without requests of Nova to each host for its uptime', async () => {
    const body = { hypervisors: [], hypervisors_links: [] }
    const { nova, served } = await open(({ url }) =>
      url.startsWith('/compute/v2.1/os-hypervisors') ? { body } : NOT_FOUND,
    )
    expect(await nova.listHypervisors()).toEqual([])
    expect(served.seen.at(-1)?.headers['openstack-api-version']).toBe('compute 2.87')
  })

  it('refuses a Nova below 2.90 and reports it', async () => {
    const { nova } = await open(() => NOT_FOUND, { novaMax: '2.79' })
    await expect(nova.listServices()).rejects.toThrow('offers microversion 2.79 at most, but 2.90 is needed')
  })

  it('follows links by their query, regardless of their host', async () => {
    const { nova, served } = await open(({ url }) => {
      if (!isServers(url)) return NOT_FOUND
      if (url.includes('marker=a')) return { body: { servers: [server('b')] } }
      const href = 'http://internal.example:8774/v2.1/servers/detail?all_tenants=1&limit=1&marker=a'
      return { body: { servers: [server('a')], servers_links: [{ rel: 'next', href }] } }
    })
    const list = await nova.listServers({ host: 'cmp1' })
    expect(list.items.map(({ uuid }) => uuid)).toEqual(['a', 'b'])
    expect(list.isComplete).toBe(true)
    const requested = served.seen.filter(({ url }) => isServers(url)).map(({ url }) => url.split('?')[1])
    expect(requested).toEqual(['limit=1000&all_tenants=1&host=cmp1', 'all_tenants=1&limit=1&marker=a'])
    expect(await nova.listServers({ maxPages: 1 })).toMatchObject({ isComplete: false })
  })

  it('gives up a list whose pages lead to themselves', async () => {
    const servers_links = [{ rel: 'next', href: 'http://x/servers/detail?marker=a' }]
    const { nova } = await open(({ url }) =>
      isServers(url) ? { body: { servers: [server('a')], servers_links } } : NOT_FOUND,
    )
    await expect(nova.listServers()).rejects.toThrow('to the same page again')
  })

  it('reads the few words that a cell which is down leaves', async () => {
    const { nova } = await open(({ url }) => {
      if (isServers(url)) return { body: { servers: [{ id: 's', status: 'UNKNOWN', tenant_id: 'p' }] } }
      const services = [{ binary: 'nova-compute', host: 'cmp1', status: 'UNKNOWN' }]
      return url.includes('/os-services') ? { body: { services } } : NOT_FOUND
    })
    expect(await nova.listServices()).toEqual([
      {
        id: 'cmp1',
        host: 'cmp1',
        status: 'unknown',
        state: 'unknown',
        isForcedDown: false,
        disabledReason: null,
        updatedAt: null,
        availabilityZone: null,
      },
    ])
    expect((await nova.listServers()).items).toMatchObject([
      { uuid: 's', status: 'UNKNOWN', host: null, vcpus: null, isDeleted: false },
    ])
  })

  it('reads the time of the last report only of a service that is down, since each report changes it', async () => {
    const at = '2026-11-21T08:00:00.000000'
    const service = { binary: 'nova-compute', status: 'enabled', updated_at: at }
    const { nova } = await open(({ url }) =>
      url.includes('/os-services')
        ? {
            body: {
              services: [
                { ...service, host: 'cmp1', state: 'up' },
                { ...service, host: 'cmp2', state: 'down' },
                { ...service, host: 'cmp3', state: 'up', forced_down: true },
              ],
            },
          }
        : NOT_FOUND,
    )
    expect((await nova.listServices()).map(({ updatedAt }) => updatedAt)).toEqual([null, `${at}Z`, `${at}Z`])
  })

  it('marks deleted servers among the changes, and keeps soft-deleted ones, which still hold their vGPUs', async () => {
    const servers = [
      { ...server('a'), status: 'DELETED' },
      { ...server('b'), status: 'SOFT_DELETED' },
    ]
    const { nova } = await open(({ url }) => (isServers(url) ? { body: { servers } } : NOT_FOUND))
    const { items } = await nova.listServers({ changesSince: '2026-01-01T00:00:00Z' })
    expect(items.map(({ isDeleted }) => isDeleted)).toEqual([true, false])
  })

  it('reads a server with its own copy of the flavor', async () => {
    const body = {
      server: {
        ...server('a'),
        user_id: 'u',
        'OS-EXT-SRV-ATTR:host': 'cmp1',
        'OS-EXT-SRV-ATTR:hypervisor_hostname': 'cmp1.example',
        'OS-EXT-SRV-ATTR:instance_name': 'instance-00000004',
        'OS-EXT-STS:task_state': null,
        status: 'ERROR',
        fault: { code: 500, message: 'No valid host was found.', created: '2026-01-01T00:00:00Z' },
        flavor: {
          original_name: 'vgpu',
          vcpus: 2,
          ram: 2048,
          disk: 10,
          extra_specs: { 'resources:VGPU': '1' },
        },
      },
    }
    const { nova } = await open(({ url }) => (url.endsWith('/servers/a') ? { body } : NOT_FOUND))
    expect(await nova.getServer('a')).toMatchObject({
      host: 'cmp1',
      hypervisorHostname: 'cmp1.example',
      instanceName: 'instance-00000004',
      flavorName: 'vgpu',
      memoryMib: 2048,
      extraSpecs: { 'resources:VGPU': '1' },
      fault: 'No valid host was found.',
    })
    expect(await nova.getServer('b')).toBeNull()
  })

  it('reports migrations in progress, a resize that waits for its confirmation among them', async () => {
    const migration = (uuid: string, status: string) => ({
      uuid,
      status,
      instance_uuid: 's',
      migration_type: 'resize',
      source_compute: 'a',
      dest_compute: 'b',
    })
    const migrations = [migration('1', 'finished'), migration('2', 'confirmed'), migration('3', 'migrating')]
    const { nova } = await open(({ url }) =>
      url.includes('/os-migrations') ? { body: { migrations } } : NOT_FOUND,
    )
    const { items } = await nova.listMigrations()
    expect(items.map(({ isInProgress }) => isInProgress)).toEqual([true, false, true])
  })
})

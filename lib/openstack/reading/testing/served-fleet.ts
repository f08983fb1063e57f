import { serveCloud } from '../../testing/served-cloud'
import type { SeenRequest, ServedAnswer } from '../../transport/testing/serve'

type Inventory = { total: number; used: number; reserved?: number }
type FleetProvider = {
  uuid: string
  name: string
  generation: number
  parent: string | null
  root: string
  inventories: Record<string, Inventory>
  traits: string[]
}
type FleetServer = { id: string; host: string; status: string; updatedAt: string }

export type Fleet = {
  providers: FleetProvider[]
  /** Resources by provider and consumer. */
  allocations: Map<string, Record<string, { resources: Record<string, number> }>>
  servers: FleetServer[]
  /** `members`: root providers that Placement has in it. */
  aggregates: { uuid: string; hosts: string[]; members: string[] }[]
  /** `[placement] max_allocation_candidates`. */
  maxCandidates: number
  /** Services that answer 500. */
  broken: Set<string>
}

/** Hosts with four pGPUs of 4 vGPUs each, one of which a server uses. */
export const buildFleet = (hosts: number): Fleet => {
  const fleet: Fleet = {
    providers: [],
    allocations: new Map(),
    servers: [],
    aggregates: [],
    maxCandidates: Number.POSITIVE_INFINITY,
    broken: new Set(),
  }
  for (let host = 0; host < hosts; host += 1) {
    const root = `root-${host}`
    const inventories = {
      VCPU: { total: 64, used: 1 },
      MEMORY_MB: { total: 1024, used: 1 },
      DISK_GB: { total: 100, used: 1 },
    }
    const own = { generation: 1, root, traits: ['COMPUTE_NODE'] }
    fleet.providers.push({ ...own, uuid: root, name: `cmp${host}`, parent: null, inventories })
    for (let gpu = 0; gpu < 4; gpu += 1) {
      const uuid = `gpu-${host}-${gpu}`
      const used = gpu === 0 ? 1 : 0
      const name = `cmp${host}_pci_0000_8${gpu}_00_0`
      fleet.providers.push({ ...own, uuid, name, parent: root, inventories: { VGPU: { total: 4, used } } })
    }
    const id = `server-${host}`
    fleet.allocations.set(`gpu-${host}-0`, { [id]: { resources: { VGPU: 1 } } })
    fleet.servers.push({ id, host: `cmp${host}`, status: 'ACTIVE', updatedAt: '2026-01-01T00:00:00Z' })
  }
  return fleet
}

const ok = (body: unknown): ServedAnswer => ({ body })
const NOT_FOUND: ServedAnswer = { status: 404, body: { error: { code: 404, message: 'Not found' } } }

const answerCandidates = (fleet: Fleet, name: string): ServedAnswer => {
  const roots = new Set<string>()
  for (const provider of fleet.providers) {
    const inventory = provider.inventories[name]
    if (inventory && inventory.total - inventory.used >= 1) roots.add(provider.root)
  }
  const shown = new Set([...roots].slice(0, fleet.maxCandidates))
  const summaries = fleet.providers
    .filter((provider) => shown.has(provider.root))
    .map((provider) => {
      const resources = Object.entries(provider.inventories).map(([rc, { total, used, reserved = 0 }]) => [
        rc,
        { capacity: total - reserved, used },
      ])
      return [
        provider.uuid,
        {
          resources: Object.fromEntries(resources),
          traits: provider.traits,
          parent_provider_uuid: provider.parent,
          root_provider_uuid: provider.root,
        },
      ]
    })
  return ok({
    allocation_requests: [...shown].map((root) => ({
      allocations: { [root]: { resources: { [name]: 1 } } },
    })),
    provider_summaries: Object.fromEntries(summaries),
  })
}

const answerProvider = (fleet: Fleet, uuid: string, part: string): ServedAnswer => {
  const provider = fleet.providers.find((candidate) => candidate.uuid === uuid)
  if (provider === undefined) return NOT_FOUND
  const resource_provider_generation = provider.generation
  const entries = Object.entries(provider.inventories)
  if (part === 'traits') return ok({ resource_provider_generation, traits: provider.traits })
  if (part === 'allocations') {
    return ok({ resource_provider_generation, allocations: fleet.allocations.get(uuid) ?? {} })
  }
  if (part === 'usages') {
    const usages = Object.fromEntries(entries.map(([name, { used }]) => [name, used]))
    return ok({ resource_provider_generation, usages })
  }
  const units = { reserved: 0, min_unit: 1, max_unit: 100, step_size: 1, allocation_ratio: 1 }
  const inventories = Object.fromEntries(
    entries.map(([name, { total, reserved = 0 }]) => [name, { ...units, total, reserved }]),
  )
  return ok({ resource_provider_generation, inventories })
}

const answerPlacement = (fleet: Fleet, url: URL): ServedAnswer => {
  const [, , , uuid, part] = url.pathname.split('/')
  if (url.pathname === '/placement/allocation_candidates') {
    return answerCandidates(fleet, url.searchParams.get('resources')?.split(':')[0] ?? '')
  }
  if (uuid !== undefined && part !== undefined) return answerProvider(fleet, uuid, part)
  const memberOf = url.searchParams.get('member_of')
  const members = fleet.aggregates.find((aggregate) => aggregate.uuid === memberOf)?.members ?? []
  const listed = fleet.providers.filter(({ uuid: each }) => memberOf === null || members.includes(each))
  const resource_providers = listed.map((provider) => ({
    uuid: provider.uuid,
    name: provider.name,
    generation: provider.generation,
    parent_provider_uuid: provider.parent,
    root_provider_uuid: provider.root,
    links: [],
  }))
  return ok({ resource_providers })
}

const toServer = ({ id, host, status }: FleetServer) => ({
  id,
  name: id,
  status,
  tenant_id: 'p1',
  user_id: 'u1',
  'OS-EXT-SRV-ATTR:host': host,
  flavor: { original_name: 'vgpu', vcpus: 1, ram: 1, disk: 1, extra_specs: { 'resources:VGPU': '1' } },
})

const PAGE = 1000

const answerServers = (fleet: Fleet, url: URL, origin: string): ServedAnswer => {
  const { searchParams } = url
  const host = searchParams.get('host')
  const since = searchParams.get('changes-since')
  const found = fleet.servers.filter(
    (server) => (host === null || server.host === host) && (since === null || server.updatedAt >= since),
  )
  const start = found.findIndex((server) => server.id === searchParams.get('marker')) + 1
  const page = found.slice(start, start + PAGE)
  const isFull = page.length === PAGE
  const marker = page.at(-1)?.id ?? ''
  const href = `${origin}/elsewhere/servers/detail?all_tenants=1&limit=${PAGE}&marker=${marker}`
  return ok({ servers: page.map(toServer), ...(isFull ? { servers_links: [{ rel: 'next', href }] } : {}) })
}

const answerNova = (fleet: Fleet, url: URL, origin: string): ServedAnswer => {
  const hosts = fleet.providers.filter((provider) => provider.parent === null)
  const path = url.pathname.replace('/compute/v2.1', '')
  if (path === '/servers/detail') return answerServers(fleet, url, origin)
  if (path === '/os-hypervisors/detail') {
    return ok({
      hypervisors: hosts.map(({ uuid, name }) => ({
        id: uuid,
        hypervisor_hostname: name,
        state: 'up',
        status: 'enabled',
        service: { id: `s-${uuid}`, host: name, disabled_reason: null },
      })),
    })
  }
  if (path === '/os-services') {
    return ok({
      services: hosts.map(({ uuid, name }) => ({
        id: `s-${uuid}`,
        binary: 'nova-compute',
        host: name,
        status: 'enabled',
        state: 'up',
        forced_down: false,
      })),
    })
  }
  if (path === '/flavors/detail') return ok({ flavors: [] })
  if (path === '/os-aggregates') {
    const aggregates = fleet.aggregates.map(({ uuid, hosts }, index) => ({
      id: index + 1,
      uuid,
      name: uuid,
      hosts,
      metadata: {},
      availability_zone: null,
    }))
    return ok({ aggregates })
  }
  if (path === '/os-migrations') return ok({ migrations: [] })
  return NOT_FOUND
}

const KEYSTONE: Readonly<Record<string, unknown>> = {
  '/v3/auth/system': { system: [{ all: true }] },
  '/v3/limits/model': { model: { name: 'flat', description: '' } },
  '/v3/limits': { limits: [] },
  '/v3/registered_limits': { registered_limits: [] },
  '/v3/projects': { projects: [{ id: 'p1', name: 'demo', domain_id: 'default', enabled: true }] },
}

/** Real HTTP in the services' own form over a fleet that a test may change at any time. */
export const serveFleet = async (fleet: Fleet) => {
  const served = await serveCloud((request: SeenRequest): ServedAnswer => {
    const url = new URL(request.url, 'http://fleet')
    const service = url.pathname.split('/')[1] ?? ''
    if (fleet.broken.has(service))
      return { status: 500, body: { computeFault: { code: 500, message: 'Broken.' } } }
    if (service === 'placement') return answerPlacement(fleet, url)
    if (service === 'compute') return answerNova(fleet, url, 'http://proxy.example')
    const body = KEYSTONE[url.pathname]
    return body === undefined ? NOT_FOUND : ok(body)
  })
  return served
}

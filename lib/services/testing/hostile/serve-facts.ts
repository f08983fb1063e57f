import type { CloudFacts, ResourceProvider } from '@/lib/domain/cloud/types'
import { serveCloud } from '@/lib/openstack/testing/served-cloud'
import type { ServedAnswer } from '@/lib/openstack/transport/testing/serve'

type Facts = CloudFacts

const ok = (body: unknown): ServedAnswer => ({ body })
const NOT_FOUND: ServedAnswer = { status: 404, body: { error: { code: 404, message: 'Not found' } } }

const providersOf = ({ providers }: Facts): readonly ResourceProvider[] => providers.value ?? []
const itemsOf = <Item>(part: { value: readonly Item[] | null }): readonly Item[] => part.value ?? []

const rawProvider = ({ uuid, name, generation, parentUuid, rootUuid }: ResourceProvider) => ({
  uuid,
  name,
  generation,
  parent_provider_uuid: parentUuid,
  root_provider_uuid: rootUuid,
})

const summariesOf = (facts: Facts, resourceClass: string) => {
  const roots = new Set(
    providersOf(facts)
      .filter(({ inventories }) => {
        const inventory = inventories?.[resourceClass]
        return inventory !== undefined && inventory.capacity > inventory.used
      })
      .map(({ rootUuid }) => rootUuid),
  )
  const summaries = providersOf(facts)
    .filter(({ rootUuid }) => roots.has(rootUuid))
    .map(({ uuid, inventories, traits, parentUuid, rootUuid }) => [
      uuid,
      {
        resources: Object.fromEntries(
          Object.entries(inventories ?? {}).map(([name, { capacity, used }]) => [name, { capacity, used }]),
        ),
        traits: traits ?? [],
        parent_provider_uuid: parentUuid,
        root_provider_uuid: rootUuid,
      },
    ])
  return ok({
    allocation_requests: [...roots].map((root) => ({
      allocations: { [root]: { resources: { [resourceClass]: 1 } } },
      mappings: { '': [root] },
    })),
    provider_summaries: Object.fromEntries(summaries),
  })
}

const providerPart = (facts: Facts, uuid: string, part: string): ServedAnswer => {
  const provider = providersOf(facts).find((each) => each.uuid === uuid)
  if (provider === undefined) return NOT_FOUND
  const generation = { resource_provider_generation: provider.generation }
  const inventories = Object.entries(provider.inventories ?? {})
  if (part === 'traits') return ok({ ...generation, traits: provider.traits ?? [] })
  if (part === 'aggregates') return ok({ ...generation, aggregates: provider.aggregateUuids ?? [] })
  if (part === 'usages')
    return ok({
      ...generation,
      usages: Object.fromEntries(inventories.map(([name, { used }]) => [name, used])),
    })
  if (part === 'allocations') {
    const held = itemsOf(facts.allocations).filter(({ providerUuid }) => providerUuid === uuid)
    const allocations = Object.fromEntries(
      held.map(({ consumerUuid, resources }) => [consumerUuid, { resources }]),
    )
    return ok({ ...generation, allocations })
  }
  const raw = inventories.map(([name, one]) => [
    name,
    {
      total: one.total ?? one.capacity,
      reserved: one.reserved ?? 0,
      min_unit: one.minUnit ?? 1,
      max_unit: one.maxUnit ?? one.capacity,
      step_size: one.stepSize ?? 1,
      allocation_ratio: one.allocationRatio ?? 1,
    },
  ])
  return ok({ ...generation, inventories: Object.fromEntries(raw) })
}

const answerPlacement = (facts: Facts, url: URL): ServedAnswer => {
  const [, , collection, uuid, part] = url.pathname.split('/')
  const query = url.searchParams
  if (collection === 'allocation_candidates')
    return summariesOf(facts, query.get('resources')?.split(':')[0] ?? '')
  if (collection === 'traits')
    return ok({ traits: [...new Set(providersOf(facts).flatMap(({ traits }) => traits ?? []))] })
  if (collection === 'resource_classes')
    return ok({
      resource_classes: [
        ...new Set(providersOf(facts).flatMap(({ inventories }) => Object.keys(inventories ?? {}))),
      ].map((name) => ({ name })),
    })
  if (collection === 'usages') return ok({ usages: { INSTANCE: { consumer_count: 1, VGPU: 1, VCPU: 4 } } })
  if (collection === 'allocations') {
    const held = itemsOf(facts.allocations).filter(({ consumerUuid }) => consumerUuid === uuid)
    const allocations = Object.fromEntries(
      held.map(({ providerUuid, resources }) => [providerUuid, { resources }]),
    )
    return ok({
      allocations,
      project_id: 'p1',
      user_id: 'u1',
      consumer_generation: 1,
      consumer_type: 'INSTANCE',
    })
  }
  if (uuid !== undefined && part !== undefined) return providerPart(facts, uuid, part)
  const memberOf = query.get('member_of')
  const name = query.get('name')
  const listed = providersOf(facts).filter(
    (each) =>
      (memberOf === null || each.aggregateUuids?.includes(memberOf) === true) &&
      (name === null || each.name === name),
  )
  return ok({ resource_providers: listed.map(rawProvider) })
}

const rawServers = (facts: Facts, host: string | null) =>
  itemsOf(facts.servers)
    .filter((server) => host === null || server.host === host)
    .map((server) => ({
      id: server.uuid,
      name: server.name,
      tenant_id: server.projectId,
      user_id: server.userId,
      status: server.status,
      created: server.createdAt,
      metadata: {},
      'OS-EXT-STS:task_state': server.taskState,
      'OS-EXT-SRV-ATTR:host': server.host,
      'OS-EXT-SRV-ATTR:hypervisor_hostname': server.hypervisorHostname,
      'OS-EXT-SRV-ATTR:instance_name': server.instanceName,
      ...(server.fault === null ? {} : { fault: { message: server.fault } }),
      flavor: {
        original_name: server.flavorName,
        vcpus: server.vcpus,
        ram: server.memoryMib,
        disk: server.diskGib,
        extra_specs: server.extraSpecs,
      },
    }))

const NOVA: Readonly<Record<string, (facts: Facts, query: URLSearchParams) => unknown>> = {
  '/servers/detail': (facts, query) => ({ servers: rawServers(facts, query.get('host')) }),
  '/os-services': (facts) => ({
    services: itemsOf(facts.services).map((service) => ({
      id: service.id,
      binary: 'nova-compute',
      host: service.host,
      status: service.status,
      state: service.state,
      zone: service.availabilityZone,
      updated_at: service.updatedAt,
      disabled_reason: service.disabledReason,
      forced_down: service.isForcedDown,
    })),
  }),
  '/os-hypervisors/detail': (facts) => ({
    hypervisors: itemsOf(facts.hypervisors).map((one) => ({
      id: one.id,
      hypervisor_hostname: one.hypervisorHostname,
      state: one.state,
      status: one.status,
      host_ip: one.hostIp,
      hypervisor_version: one.hypervisorVersion,
      service: { host: one.serviceHost },
    })),
  }),
  '/flavors/detail': (facts) => ({
    flavors: itemsOf(facts.flavors).map((flavor) => ({
      id: flavor.id,
      name: flavor.name,
      vcpus: flavor.vcpus,
      ram: flavor.memoryMib,
      disk: flavor.diskGib,
      swap: flavor.swapMib,
      description: flavor.description,
      'OS-FLV-EXT-DATA:ephemeral': flavor.ephemeralGib,
      'OS-FLV-DISABLED:disabled': flavor.isDisabled,
      'os-flavor-access:is_public': flavor.isPublic,
      extra_specs: flavor.extraSpecs,
    })),
  }),
  '/os-aggregates': (facts) => ({
    aggregates: itemsOf(facts.aggregates).map(({ availabilityZone, ...rest }) => ({
      ...rest,
      availability_zone: availabilityZone,
    })),
  }),
  '/images': () => ({ images: [{ id: '00000000-0000-4000-8000-0000000000aa', name: 'image' }] }),
  '/os-migrations': (facts) => ({
    migrations: itemsOf(facts.migrations).map((one) => ({
      uuid: one.uuid,
      instance_uuid: one.serverUuid,
      migration_type: one.type,
      status: one.status,
      source_compute: one.sourceHost,
      dest_compute: one.destinationHost,
      created_at: '2026-11-21T09:00:00Z',
    })),
  }),
}

const KEYSTONE: Readonly<Record<string, (facts: Facts) => unknown>> = {
  '/v3/services': () => ({
    services: [{ id: 'nova', type: 'compute', name: 'nova-service', enabled: true }],
  }),
  '/v3/endpoints': () => ({
    endpoints: ['public', 'internal'].map((kind) => ({
      id: `endpoint-${kind}`,
      service_id: 'nova',
      region_id: 'RegionOne',
      interface: kind,
      url: 'https://nova.example/v2.1',
      enabled: true,
    })),
  }),
  '/v3/regions': () => ({
    regions: [{ id: 'RegionOne', parent_region_id: null, description: 'Where it is' }],
  }),
  '/v3/domains': () => ({ domains: [{ id: 'default', name: 'Default', enabled: true }] }),
  '/v3/users': () => ({ users: [{ id: 'user-nova', name: 'nova', domain_id: 'default' }] }),
  '/v3/roles': () => ({ roles: [{ id: 'role-reader', name: 'reader' }] }),
  '/v3/system/users/user-nova/roles': () => ({ roles: [] }),
  '/v3/auth/system': () => ({ system: [{ all: true }] }),
  '/v3/limits/model': ({ limits }) => ({ model: { name: limits.value?.model ?? 'flat' } }),
  '/v3/limits': ({ limits }) => ({
    limits: (limits.value?.project ?? []).map((limit) => ({
      id: limit.id,
      service_id: 'nova',
      region_id: limit.regionId,
      project_id: limit.projectId,
      domain_id: limit.domainId,
      resource_name: limit.resourceName,
      resource_limit: limit.resourceLimit,
    })),
  }),
  '/v3/registered_limits': ({ limits }) => ({
    registered_limits: (limits.value?.registered ?? []).map((limit) => ({
      id: limit.id,
      service_id: 'nova',
      region_id: limit.regionId,
      resource_name: limit.resourceName,
      default_limit: limit.defaultLimit,
    })),
  }),
  '/v3/projects': ({ projects }) => ({
    projects: itemsOf(projects).map(({ domainId, isEnabled, ...rest }) => ({
      ...rest,
      domain_id: domainId,
      enabled: isEnabled,
      description: null,
    })),
  }),
}

/** Bodies of errors that services answer instead, by the first part of the path. */
export type Failures = Readonly<Partial<Record<'placement' | 'compute', unknown>>>

type ServedFacts = {
  facts: () => Facts
  failures: () => Failures
  /** Gets each body before it is sent. */
  edit: (body: unknown) => unknown
}

/** Real HTTP in the services' own form over facts of a cloud. */
export const serveFacts = ({ facts, failures, edit }: ServedFacts) =>
  serveCloud((request): ServedAnswer => {
    const url = new URL(request.url, 'http://facts')
    const service = url.pathname.split('/')[1] ?? ''
    const failure = failures()[service as keyof Failures]
    if (failure !== undefined) return { status: 400, body: failure }
    if (service === 'placement') return edited(answerPlacement(facts(), url), edit)
    const answer =
      service === 'compute'
        ? NOVA[url.pathname.replace('/compute/v2.1', '')]?.(facts(), url.searchParams)
        : KEYSTONE[url.pathname]?.(facts())
    return answer === undefined ? NOT_FOUND : edited(ok(answer), edit)
  })

const edited = (answer: ServedAnswer, edit: (body: unknown) => unknown): ServedAnswer =>
  typeof answer === 'string' ? answer : { ...answer, body: edit(JSON.parse(JSON.stringify(answer.body))) }

import type * as z from 'zod'
import { parseYaml } from '@/lib/openstack/clouds/yaml-source'
import { createKeystoneLimits } from '@/lib/openstack/keystone/create-keystone-limits'
import type { KeystoneCall } from '@/lib/openstack/keystone/keystone-call'
import { createKeystoneLists } from '@/lib/openstack/keystone/keystone-lists'
import { tokenSchema, toToken } from '@/lib/openstack/keystone/token-body'
import * as nova from '@/lib/openstack/nova/nova-schemas'
import { toHypervisor, toServer, toService } from '@/lib/openstack/nova/to-facts'
import { OpenStackError } from '@/lib/openstack/openstack-error'
import { parseAnswer } from '@/lib/openstack/parse-answer'
import { createCloudReads, createProviderReads } from '@/lib/openstack/placement/placement-reads'
import { parseRetryAfterSeconds } from '@/lib/openstack/transport/parse-retry-after'
import { readErrorBody } from '@/lib/openstack/transport/read-error-body'
import type { VersionedCall } from '@/lib/openstack/versioned-call'
import { jsonTarget } from './json-target'
import type { FuzzTarget } from './target'

const isRefusal = (error: unknown): boolean => error instanceof OpenStackError

const answerOf = (json: unknown) => ({ status: 200, headers: {}, json, requestId: null })
const readBy =
  (json: unknown) =>
  async <Schema extends z.ZodType>(schema: Schema) =>
    parseAnswer({ schema, answer: answerOf(json), service: 'placement', cloud: 'lab', what: 'GET /' })

/** Asks everything of a service that answers every question alike. */
const askAll = async (calls: Promise<unknown>[]): Promise<unknown> => {
  const outcomes = await Promise.allSettled(calls)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected' && !isRefusal(outcome.reason)) throw outcome.reason
  return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : null))
}

const readPlacement = (json: unknown): Promise<unknown> => {
  const read = readBy(json)
  const createRepeatedRead: VersionedCall['createRepeatedRead'] = (schema, toValue) => async () =>
    toValue(await read(schema))
  const call = { cloud: 'lab', read, createRepeatedRead } as unknown as VersionedCall
  const [providers, cloud] = [createProviderReads(call), createCloudReads(call)]
  return askAll([
    providers.listProviders(),
    providers.getInventories('a'),
    providers.getUsages('a'),
    providers.getTraits('a'),
    providers.getAllocations('a'),
    cloud.getConsumer('a'),
    cloud.listTraits(),
    cloud.listResourceClasses(),
    cloud.getProjectUsages('a'),
  ])
}

const readKeystone = (json: unknown): Promise<unknown> => {
  const send = async () => answerOf(json)
  const call = { cloud: 'lab', send, read: readBy(json) } as unknown as KeystoneCall
  const [lists, limits] = [createKeystoneLists(call), createKeystoneLimits(call)]
  const token = tokenSchema.safeParse(json)
  return askAll([
    lists.listProjects('t'),
    lists.listDomains('t'),
    lists.listRegions({ tokenId: 't' }),
    lists.listServices({ tokenId: 't' }),
    lists.listEndpoints({ tokenId: 't' }),
    limits.list({ tokenId: 't' }),
    limits.listRegistered({ tokenId: 't' }),
    Promise.resolve(token.success ? toToken('t', token.data.token) : readErrorBody(json)),
  ])
}

const readNova = (json: unknown): unknown => {
  const [services, hypervisors, servers] = [
    nova.servicesSchema,
    nova.hypervisorsSchema,
    nova.serversSchema,
  ].map((schema) => schema.safeParse(json))
  return [
    services?.data,
    nova.servicesSchema.safeParse(json).data?.services.map(toService),
    hypervisors === undefined
      ? null
      : nova.hypervisorsSchema.safeParse(json).data?.hypervisors.map(toHypervisor),
    servers === undefined ? null : nova.serversSchema.safeParse(json).data?.servers.map(toServer),
    nova.flavorsSchema.safeParse(json).data,
    nova.aggregatesSchema.safeParse(json).data,
    nova.migrationsSchema.safeParse(json).data,
    nova.imagesSchema.safeParse(json).data,
    readErrorBody(json),
  ]
}

const ID = '00000000-0000-4000-8000-000000000001'

export const CLOUD_TARGETS: FuzzTarget[] = [
  jsonTarget({
    name: 'placement',
    seeds: () => [
      {
        resource_providers: [
          { uuid: ID, name: 'cmp-01', generation: 1, parent_provider_uuid: null, root_provider_uuid: ID },
        ],
      },
      {
        resource_provider_generation: 1,
        inventories: {
          VGPU: { total: 4, reserved: 0, min_unit: 1, max_unit: 1, step_size: 1, allocation_ratio: 1 },
        },
      },
      { resource_provider_generation: 1, usages: { VGPU: 2 } },
      {
        resource_provider_generation: 1,
        traits: ['CUSTOM_A'],
        allocations: { [ID]: { resources: { VGPU: 1 } } },
      },
      {
        allocations: { [ID]: { resources: { VGPU: 1 }, generation: 1 } },
        project_id: 'p',
        user_id: 'u',
        consumer_generation: 1,
      },
      { errors: [{ status: 404, code: 'a', title: 'b', detail: 'c', request_id: 'd' }] },
    ],
    read: readPlacement,
    isRefusal,
  }),
  jsonTarget({
    name: 'keystone',
    seeds: () => [
      { projects: [{ id: 'p', name: 'gpu', domain_id: 'default', enabled: true }] },
      {
        domains: [{ id: 'default', name: 'Default' }],
        regions: [{ id: 'RegionOne' }],
        services: [{ id: 's', type: 'compute' }],
      },
      {
        endpoints: [{ id: 'e', service_id: 's', interface: 'public', url: 'http://nova/v2.1' }],
        limits: [],
        registered_limits: [],
      },
      {
        token: {
          expires_at: 'a',
          issued_at: 'b',
          user: { id: 'u', name: 'n', domain: { id: 'd', name: 'D' } },
          roles: [],
          catalog: [],
        },
      },
      {
        error: { code: 401, message: 'no' },
        receipt: { methods: ['password'] },
        required_auth_methods: [['password', 'totp']],
      },
    ],
    read: readKeystone,
    isRefusal,
  }),
  jsonTarget({
    name: 'nova',
    seeds: () => [
      {
        services: [
          {
            binary: 'nova-compute',
            host: 'cmp-01',
            status: 'enabled',
            state: 'up',
            updated_at: '2026-11-21T08:00:00',
          },
        ],
      },
      {
        hypervisors: [{ id: ID, hypervisor_hostname: 'cmp-01', service: { host: 'cmp-01' } }],
        hypervisors_links: [],
      },
      {
        servers: [
          {
            id: ID,
            status: 'ACTIVE',
            flavor: { original_name: 'a', vcpus: 1, ram: 1, disk: 1, extra_specs: { a: 'b' } },
            metadata: { a: 'b' },
          },
        ],
      },
      {
        flavors: [
          { id: 'a', name: 'b', vcpus: 1, ram: 2, disk: 3, swap: '', extra_specs: { 'resources:VGPU': '1' } },
        ],
      },
      {
        aggregates: [{ id: 1, uuid: ID, name: 'a', hosts: ['b'], metadata: {} }],
        migrations: [],
        badRequest: { code: 400, message: 'a' },
      },
    ],
    read: readNova,
    isRefusal,
  }),
  {
    name: 'clouds-yaml',
    seeds: () => [
      'clouds:\n  lab: &lab\n    auth: {auth_url: "http://k/v3", password: 007}\n  b:\n    <<: *lab\n',
    ],
    read: (text) => [parseYaml({ file: 'clouds.yaml', text }), parseRetryAfterSeconds(text)],
    isRefusal: () => false,
  },
]

import * as z from 'zod'
import type { CloudPart } from '@/lib/domain/cloud/freshness'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import { compileCheck } from '@/lib/schemas/agent/compile-check'
import { createShare } from '@/lib/util/create-share'

export type PartValue<Part extends CloudPart> = NonNullable<CloudFacts[Part]['value']>

/** Null: the value has another form. */
type ReadValue<Value> = (value: unknown) => Value | null

/** The compiled check takes a tenth of the time of the schema: a large cloud has a hundred thousand providers. */
const reader = <Value>(schema: z.ZodType<Value>): ReadValue<Value> => {
  const isUsual = compileCheck(schema)
  return (value) => (isUsual(value) ? value : (schema.safeParse(value).data ?? null))
}

const text = z.string().nullable()
const number = z.number().nullable()
const texts = z.record(z.string(), z.string())

const provider = z.object({
  uuid: z.string(),
  name: z.string(),
  generation: z.number(),
  parentUuid: text,
  rootUuid: z.string(),
  inventories: z
    .record(
      z.string(),
      z.object({
        capacity: z.number(),
        used: z.number(),
        total: number,
        reserved: number,
        allocationRatio: number,
        minUnit: number,
        maxUnit: number,
        stepSize: number,
      }),
    )
    .nullable(),
  traits: z.array(z.string()).nullable(),
  aggregateUuids: z.array(z.string()).nullable(),
})

const allocation = z.object({
  consumerUuid: z.string(),
  providerUuid: z.string(),
  resources: z.record(z.string(), z.number()),
})

const service = z.object({
  id: z.string(),
  host: z.string(),
  status: z.enum(['enabled', 'disabled', 'unknown']),
  state: z.enum(['up', 'down', 'unknown']),
  isForcedDown: z.boolean(),
  disabledReason: text,
  updatedAt: text,
  availabilityZone: text,
})

const hypervisor = z.object({
  id: z.string(),
  hypervisorHostname: z.string(),
  serviceHost: z.string(),
  hostIp: text,
  hypervisorVersion: number,
  state: z.enum(['up', 'down']),
  status: z.enum(['enabled', 'disabled']),
})

const server = z.object({
  uuid: z.string(),
  name: z.string(),
  projectId: z.string(),
  userId: text,
  status: z.string(),
  taskState: text,
  host: text,
  hypervisorHostname: text,
  instanceName: text,
  flavorName: text,
  vcpus: number,
  memoryMib: number,
  diskGib: number,
  extraSpecs: texts,
  fault: text,
  createdAt: text,
})

const migration = z.object({
  uuid: z.string(),
  serverUuid: z.string(),
  type: z.enum(['migration', 'live-migration', 'resize', 'evacuation']),
  status: z.string(),
  sourceHost: text,
  destinationHost: text,
})

const flavor = z.object({
  id: z.string(),
  name: z.string(),
  vcpus: z.number(),
  memoryMib: z.number(),
  diskGib: z.number(),
  ephemeralGib: z.number(),
  swapMib: z.number(),
  isPublic: z.boolean(),
  isDisabled: z.boolean(),
  description: text,
  extraSpecs: texts,
  projectIds: z.exactOptional(z.array(z.string()).nullable()),
})

const aggregate = z.object({
  id: z.number(),
  uuid: z.string(),
  name: z.string(),
  availabilityZone: text,
  hosts: z.array(z.string()),
  metadata: texts,
})

const limit = { id: z.string(), serviceId: z.string(), regionId: text, resourceName: z.string() }
const limits = z.object({
  model: z.string(),
  registered: z.array(z.object({ ...limit, defaultLimit: z.number() })),
  project: z
    .array(z.object({ ...limit, projectId: text, domainId: text, resourceLimit: z.number() }))
    .nullable(),
  novaServiceId: text,
  novaRegionId: text,
})

const project = z.object({ id: z.string(), name: z.string(), domainId: z.string(), isEnabled: z.boolean() })

const networkAgentCheck = z.union([
  z.object({ host: z.string(), state: z.literal('alive') }),
  z.object({ host: z.string(), state: z.literal('missing') }),
  z.object({ host: z.string(), state: z.literal('dead'), agentTypes: z.array(z.string()) }),
  z.object({ host: z.string(), state: z.literal('unverified'), because: z.string() }),
])

const readStoredServers = reader(z.array(server))

/** Most servers have equal copies of a few flavors. */
const readServers: ReadValue<PartValue<'servers'>> = (value) => {
  const share = createShare()
  return readStoredServers(value)?.map((each) => ({ ...each, extraSpecs: share(each.extraSpecs) })) ?? null
}

/** Reads the stored value of each part. */
export const READ_PART: { [Part in CloudPart]: ReadValue<PartValue<Part>> } = {
  providers: reader(z.array(provider)),
  allocations: reader(z.array(allocation)),
  services: reader(z.array(service)),
  hypervisors: reader(z.array(hypervisor)),
  servers: readServers,
  migrations: reader(z.array(migration)),
  flavors: reader(z.array(flavor)),
  aggregates: reader(z.array(aggregate)),
  limits: reader(limits),
  projects: reader(z.array(project)),
  networkAgents: reader(z.array(networkAgentCheck)),
}

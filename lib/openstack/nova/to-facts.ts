import type * as z from 'zod'
import type { ComputeService, Flavor, HostAggregate, Hypervisor } from '@/lib/domain/cloud/types'
import type {
  aggregatesSchema,
  flavorSchema,
  hypervisorsSchema,
  migrationsSchema,
  serverSchema,
  servicesSchema,
} from './nova-schemas'
import type { ListedMigration, ListedServer } from './types'

export const toService = (raw: z.infer<typeof servicesSchema>['services'][number]): ComputeService => ({
  id: raw.id === undefined ? raw.host : String(raw.id),
  host: raw.host,
  status: raw.status === 'enabled' || raw.status === 'disabled' ? raw.status : 'unknown',
  state: raw.state === 'up' || raw.state === 'down' ? raw.state : 'unknown',
  isForcedDown: raw.forced_down,
  disabledReason: raw.disabled_reason ?? null,
  // A service that is up reports every few seconds, and only the last report of one that is down is used.
  updatedAt: raw.state === 'up' && !raw.forced_down ? null : toUtc(raw.updated_at),
  availabilityZone: raw.zone ?? null,
})

/** Nova writes UTC without a zone in some answers: `2026-11-21T08:00:00.000000`. */
const toUtc = (text: string | null | undefined): string | null => {
  if (text === null || text === undefined) return null
  return /Z$|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`
}

export const toHypervisor = (raw: z.infer<typeof hypervisorsSchema>['hypervisors'][number]): Hypervisor => ({
  id: raw.id,
  hypervisorHostname: raw.hypervisor_hostname,
  serviceHost: raw.service.host,
  hostIp: raw.host_ip ?? null,
  hypervisorVersion: raw.hypervisor_version ?? null,
  state: raw.state === 'up' ? 'up' : 'down',
  status: raw.status === 'disabled' ? 'disabled' : 'enabled',
})

export const toServer = (raw: z.infer<typeof serverSchema>): ListedServer => ({
  uuid: raw.id,
  name: raw.name ?? '',
  projectId: raw.tenant_id ?? '',
  userId: raw.user_id ?? null,
  status: raw.status,
  taskState: raw['OS-EXT-STS:task_state'] ?? null,
  host: raw['OS-EXT-SRV-ATTR:host'] ?? null,
  hypervisorHostname: raw['OS-EXT-SRV-ATTR:hypervisor_hostname'] ?? null,
  instanceName: raw['OS-EXT-SRV-ATTR:instance_name'] ?? null,
  flavorName: raw.flavor?.original_name ?? null,
  vcpus: raw.flavor?.vcpus ?? null,
  memoryMib: raw.flavor?.ram ?? null,
  diskGib: raw.flavor?.disk ?? null,
  extraSpecs: raw.flavor?.extra_specs ?? {},
  fault: raw.fault?.message ?? null,
  createdAt: raw.created ?? null,
  isDeleted: raw.status === 'DELETED',
  metadata: raw.metadata,
})

export const toFlavor = (raw: z.infer<typeof flavorSchema>): Flavor => ({
  id: raw.id,
  name: raw.name,
  vcpus: raw.vcpus,
  memoryMib: raw.ram,
  diskGib: raw.disk,
  ephemeralGib: raw['OS-FLV-EXT-DATA:ephemeral'],
  swapMib: raw.swap === '' ? 0 : raw.swap,
  isPublic: raw['os-flavor-access:is_public'],
  isDisabled: raw['OS-FLV-DISABLED:disabled'],
  description: raw.description ?? null,
  extraSpecs: raw.extra_specs,
})

export const toAggregate = (raw: z.infer<typeof aggregatesSchema>['aggregates'][number]): HostAggregate => ({
  id: raw.id,
  uuid: raw.uuid,
  name: raw.name,
  availabilityZone: raw.availability_zone ?? null,
  hosts: raw.hosts,
  metadata: raw.metadata,
})

/** `finished` is not among them: a resize or cold migration then waits for its confirmation and holds both sides. */
const ENDED = ['completed', 'confirmed', 'reverted', 'error', 'failed', 'cancelled', 'done']

export const toMigration = (
  raw: z.infer<typeof migrationsSchema>['migrations'][number],
): ListedMigration => ({
  uuid: raw.uuid,
  serverUuid: raw.instance_uuid,
  type: raw.migration_type,
  status: raw.status,
  sourceHost: raw.source_compute ?? null,
  destinationHost: raw.dest_compute ?? null,
  isInProgress: !ENDED.includes(raw.status),
  createdAt: toUtc(raw.created_at),
})

import { IMAGE_ID } from '../demo-cloud/images'
import { has, isAdmin, type NovaCall, novaUrl, timeText } from './nova-handler'
import type { Server, ServerFlavor } from './nova-state'

export const VM_STATES: Record<Server['status'], string> = {
  BUILD: 'building',
  ACTIVE: 'active',
  SHUTOFF: 'stopped',
  PAUSED: 'paused',
  ERROR: 'error',
  MIGRATING: 'active',
  RESIZE: 'active',
  VERIFY_RESIZE: 'resized',
  DELETED: 'deleted',
}

const POWER_STATES: Record<Server['status'], number> = {
  BUILD: 0,
  ACTIVE: 1,
  SHUTOFF: 4,
  PAUSED: 3,
  ERROR: 0,
  MIGRATING: 1,
  RESIZE: 1,
  VERIFY_RESIZE: 1,
  DELETED: 0,
}

const flavorBody = ({
  name,
  vcpus,
  memoryMib,
  diskGib,
  ephemeralGib,
  swapMib,
  extraSpecs,
}: ServerFlavor): unknown => ({
  vcpus,
  ram: memoryMib,
  disk: diskGib,
  ephemeral: ephemeralGib,
  swap: swapMib,
  original_name: name,
  extra_specs: extraSpecs,
})

const links = (call: NovaCall, uuid: string): unknown => [
  { rel: 'self', href: novaUrl(call, `servers/${uuid}`) },
  { rel: 'bookmark', href: `${call.request.origin}/compute/servers/${uuid}` },
]

export const serverSummary = (call: NovaCall, { uuid, name }: Server): unknown => ({
  id: uuid,
  name,
  links: links(call, uuid),
})

/** What only an admin sees of a server. */
const adminFields = (server: Server): Record<string, unknown> => ({
  'OS-EXT-SRV-ATTR:host': server.host,
  'OS-EXT-SRV-ATTR:hypervisor_hostname': server.hypervisorHostname,
  'OS-EXT-SRV-ATTR:instance_name': server.instanceName,
  'OS-EXT-SRV-ATTR:root_device_name': '/dev/vda',
  'OS-EXT-SRV-ATTR:reservation_id': `r-${server.uuid.slice(0, 8)}`,
  'OS-EXT-SRV-ATTR:launch_index': 0,
  'OS-EXT-SRV-ATTR:kernel_id': '',
  'OS-EXT-SRV-ATTR:ramdisk_id': '',
  'OS-EXT-SRV-ATTR:user_data': null,
  host_status: server.host === null ? '' : 'UP',
})

/** A server as `GET /servers/{id}` and `/servers/detail` show it from 2.90 on. */
export const serverBody = (call: NovaCall, server: Server): Record<string, unknown> => ({
  id: server.uuid,
  name: server.name,
  status: server.status,
  tenant_id: server.projectId,
  user_id: server.userId,
  metadata: server.metadata,
  hostId:
    server.host === null ? '' : `${server.projectId}${server.uuid.slice(0, 8)}`.padEnd(56, '0').slice(0, 56),
  image: { id: IMAGE_ID, links: [] },
  flavor: flavorBody(server.flavor),
  created: timeText(server.createdMs),
  updated: timeText(server.updatedMs),
  addresses: {},
  accessIPv4: '',
  accessIPv6: '',
  links: links(call, server.uuid),
  'OS-DCF:diskConfig': 'AUTO',
  ...(server.status === 'ACTIVE' ? { progress: 0 } : {}),
  'OS-EXT-AZ:availability_zone': server.host === null ? '' : 'nova',
  config_drive: '',
  key_name: null,
  'OS-SRV-USG:launched_at': server.host === null ? null : timeText(server.createdMs).replace('Z', '.000000'),
  'OS-SRV-USG:terminated_at': null,
  'OS-EXT-STS:task_state': server.taskState,
  'OS-EXT-STS:vm_state': VM_STATES[server.status],
  'OS-EXT-STS:power_state': POWER_STATES[server.status],
  'os-extended-volumes:volumes_attached': [],
  locked: false,
  locked_reason: null,
  description: null,
  tags: [],
  trusted_image_certificates: null,
  ...(has(call, '2.90') || isAdmin(call) ? { 'OS-EXT-SRV-ATTR:hostname': server.name.toLowerCase() } : {}),
  security_groups: [{ name: 'default' }],
  ...(isAdmin(call) ? adminFields(server) : {}),
  ...(has(call, '2.96') ? { pinned_availability_zone: null } : {}),
  ...(server.fault === null ? {} : { fault: { ...server.fault, created: timeText(server.updatedMs) } }),
})

import type { GuestSpec } from '@/simulator/host-tree/host-spec'
import type { Cloud } from '../cloud'
import type { ComputeNode, Server, ServerFlavor } from '../nova/nova-state'
import { SERVER_DISK_GIB } from './server-allocation'

const STATUS: Record<GuestSpec['state'], Server['status']> = {
  running: 'ACTIVE',
  paused: 'PAUSED',
  shutoff: 'SHUTOFF',
}

const flavorOf = ({ nova }: Cloud, guest: GuestSpec): ServerFlavor => {
  const flavor = nova.flavors.find(({ name }) => name === guest.nova?.flavorName)
  return {
    name: guest.nova?.flavorName ?? '',
    vcpus: guest.vcpus,
    memoryMib: guest.memoryMib,
    diskGib: SERVER_DISK_GIB,
    ephemeralGib: 0,
    swapMib: 0,
    extraSpecs: { ...flavor?.extraSpecs },
  }
}

/** Nova's record of a guest; null for guests that Nova did not make. */
export const serverOfGuest = (cloud: Cloud, compute: ComputeNode, guest: GuestSpec): Server | null => {
  if (guest.nova === null) return null
  const createdMs = Date.parse(`${guest.nova.createdAt.replace(' ', 'T')}Z`)
  return {
    uuid: guest.uuid,
    name: guest.nova.serverName,
    projectId: guest.nova.projectId,
    userId: guest.nova.userId,
    status: STATUS[guest.state],
    taskState: null,
    host: compute.host,
    hypervisorHostname: compute.hypervisorHostname,
    instanceName: guest.name,
    flavor: flavorOf(cloud, guest),
    fault: null,
    metadata: {},
    keyName: null,
    networkIds: [],
    securityGroups: [],
    isByApi: false,
    createdMs,
    updatedMs: createdMs,
  }
}

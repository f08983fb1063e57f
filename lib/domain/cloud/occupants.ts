import type { Fleet, JoinedHost, JoinedPgpu } from './fleet-types'
import { mdevProviderName } from './provider-name'
import type { Server } from './types'

/** Who holds a vGPU, in Nova's and Keystone's words where they gave them, else in those of the guest's metadata. */
export type CloudOccupant = {
  guestUuid: string
  guestName: string
  serverUuid: string | null
  serverName: string | null
  serverStatus: string | null
  projectId: string | null
  projectName: string | null
  flavorName: string | null
  /** `nova`: the server was found; `libvirt`: only the guest's metadata has it. */
  source: 'nova' | 'libvirt'
}

type Holder = {
  guestUuid: string
  guestName: string
  serverName: string | null
  flavorName: string | null
  projectId: string | null
  projectName: string | null
}

/** Nova's server uuid is libvirt's domain uuid (nova/virt/libvirt/driver.py _get_guest_config). */
const serverOf = (fleet: Fleet, guest: { guestUuid: string }): Server | null =>
  fleet.servers.get(guest.guestUuid) ?? null

/** A guest with the names that Nova and Keystone have for it. */
export const nameOccupant = (fleet: Fleet, guest: Holder): CloudOccupant => {
  const server = serverOf(fleet, guest)
  const projectId = server?.projectId ?? guest.projectId
  const project = projectId === null ? undefined : fleet.projects.get(projectId)
  return {
    guestUuid: guest.guestUuid,
    guestName: guest.guestName,
    serverUuid: server?.uuid ?? null,
    serverName: server?.name ?? guest.serverName,
    serverStatus: server?.status ?? null,
    projectId,
    projectName: project?.name ?? guest.projectName,
    flavorName: server?.flavorName ?? guest.flavorName,
    source: server === null ? 'libvirt' : 'nova',
  }
}

/** The occupants of a pGPU, one entry per guest, in the order of its cells. */
export const occupantsOf = (fleet: Fleet, { pgpu }: JoinedPgpu): CloudOccupant[] => {
  const guests = new Map(
    pgpu.cells.flatMap(({ occupant }) => (occupant === null ? [] : [[occupant.guestUuid, occupant]])),
  )
  return [...guests.values()].map((guest) => nameOccupant(fleet, guest))
}

/** The name that the provider of an address has, or would have. */
export const providerNameFor = ({ hypervisor, root, host }: JoinedHost, address: string): string =>
  mdevProviderName({
    hypervisorHostname: root.value?.name ?? hypervisor.value?.hypervisorHostname ?? host.name,
    address,
  })

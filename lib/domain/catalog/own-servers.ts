import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { requestOfExtraSpecs } from '@/lib/domain/fit/flavor-request'
import { requestsGpu } from '@/lib/domain/fit/gpu-classes'
import { naturalOrder } from '@/lib/util/natural-order'

/** A GPU that a server holds: `typeName` null: the whole card. */
type HeldGpu = { model: string; typeName: string | null; count: number }

/** A server with a GPU as its own project may see it. */
export type OwnServer = {
  uuid: string
  name: string
  status: string
  flavorName: string | null
  /** ISO 8601 UTC; null: Nova did not tell. */
  createdAt: string | null
  /** As its host reports them; null: the host does not report now. */
  gpus: HeldGpu[] | null
  /** `Licensed`, as the driver on the host reports it of the guest; null: it does not. */
  license: string | null
  /** NVIDIA's driver in the guest, as that on the host reports it: `550.54.15`; null: it does not. */
  guestDriver: string | null
}

type Held = { gpus: HeldGpu[]; license: string | null; guestDriver: string | null }

const heldOn = ({ host, pgpus }: JoinedHost, held: Map<string, Held>): void => {
  const at = (uuid: string): Held => {
    const found = held.get(uuid) ?? { gpus: [], license: null, guestDriver: null }
    held.set(uuid, found)
    return found
  }
  for (const { pgpu } of pgpus)
    for (const { kind, occupant, typeName } of pgpu.cells) {
      if (kind !== 'used' || occupant === null) continue
      const { gpus } = at(occupant.guestUuid)
      const same = gpus.find((gpu) => gpu.model === pgpu.model && gpu.typeName === typeName)
      if (same === undefined) gpus.push({ model: pgpu.model, typeName, count: 1 })
      else same.count += 1
    }
  for (const { vgpus } of host.inventory.nvidiaSmi?.gpus ?? [])
    for (const { guestUuid, licenseStatus, guestDriverVersion } of vgpus) {
      if (guestUuid === null) continue
      const guest = at(guestUuid)
      guest.license = licenseStatus ?? guest.license
      guest.guestDriver = guestDriverVersion ?? guest.guestDriver
    }
}

/** Servers that use a GPU or whose flavor requests one, by project, sorted by name. A step per host, then per server. */
export function* ownServers(fleet: Fleet): Generator<void, Map<string, OwnServer[]>> {
  const held = new Map<string, Held>()
  for (const joined of fleet.hosts) {
    if (!joined.host.isSilent) heldOn(joined, held)
    yield
  }
  const byProject = new Map<string, OwnServer[]>()
  for (const server of fleet.servers.values()) {
    yield
    const found = held.get(server.uuid)
    if (found === undefined && !requestsGpu(fleet, requestOfExtraSpecs(server.extraSpecs))) continue
    const { uuid, name, status, flavorName, createdAt, projectId } = server
    const gpus = found === undefined || found.gpus.length === 0 ? null : found.gpus
    const { license, guestDriver } = found ?? { license: null, guestDriver: null }
    const own = { uuid, name, status, flavorName, createdAt, gpus, license, guestDriver }
    const servers = byProject.get(projectId)
    if (servers === undefined) byProject.set(projectId, [own])
    else servers.push(own)
  }
  for (const servers of byProject.values()) {
    servers.sort((a, b) => naturalOrder(a.name, b.name))
    yield
  }
  return byProject
}

/** Servers by the kind of their GPUs; a server with both kinds counts in both. `unknown`: its host does not report it. */
export const countByGpu = (
  servers: readonly OwnServer[],
): { all: number; vgpu: number; passthrough: number; unknown: number } => {
  const countOf = (isOfKind: (server: OwnServer) => boolean): number => servers.filter(isOfKind).length
  return {
    all: servers.length,
    vgpu: countOf(({ gpus }) => gpus?.some(({ typeName }) => typeName !== null) === true),
    passthrough: countOf(({ gpus }) => gpus?.some(({ typeName }) => typeName === null) === true),
    unknown: countOf(({ gpus }) => gpus === null),
  }
}

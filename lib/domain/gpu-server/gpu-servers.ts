import type { Fleet, GpuProvider, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import type { DescribedMdev } from '@/lib/domain/host/types'
import { occupantOf } from '@/lib/domain/pgpu/occupants'
import { offeredTypeName } from '@/lib/domain/pgpu/offered-type-name'
import type { Occupant } from '@/lib/domain/pgpu/types'
import { vendorTypeId } from '@/lib/domain/vgpu-type/creatable-line'
import type { Guest } from '@/lib/schemas/agent/inventory'
import type { GpuServer, HeldGpu } from '@/lib/schemas/api/gpu-server'

/** A guest with its GPUs, as its host reports it. */
type Holder = { occupant: Occupant; gpus: HeldGpu[]; unknownReason: string | null }

/** Null: the text is not a moment. */
const momentOf = (text: string | null): string | null =>
  text === null || Number.isNaN(Date.parse(text)) ? null : text

const typeNameOn = ({ pgpu }: JoinedPgpu, typeId: string | null): string | null => {
  if (typeId === null) return null
  const { currentType } = pgpu
  if (currentType?.typeId === typeId) return currentType.shortName
  return offeredTypeName(pgpu, typeId) ?? typeId
}

/** What the devices of a host's guests are found by. */
type Devices = {
  owners: ReadonlyMap<string, JoinedPgpu>
  mdevs: ReadonlyMap<string, Pick<DescribedMdev, 'parent' | 'typeId'>>
}

const heldMdev = ({ owners, mdevs }: Devices, uuid: string): HeldGpu => {
  const mdev = mdevs.get(uuid)
  const owner = owners.get(mdev?.parent ?? '')
  const typeId = mdev?.typeId ?? null
  return {
    address: owner?.pgpu.address ?? null,
    device: uuid,
    kind: 'vgpu',
    typeId,
    typeName: owner === undefined ? typeId : typeNameOn(owner, typeId),
  }
}

const heldFunction = (owner: JoinedPgpu, address: string): HeldGpu => {
  const current = owner.pgpu.virtualFunctions.find((vf) => vf.address === address)?.currentType ?? 0
  const typeId = current > 0 ? vendorTypeId(current) : null
  return {
    address: owner.pgpu.address,
    device: address,
    kind: typeId === null ? 'passthrough' : 'vgpu',
    typeId,
    typeName: typeNameOn(owner, typeId),
  }
}

const holderOf = (joined: JoinedHost, devices: Devices, guest: Guest): Holder => {
  const mdevs = guest.mdevs.map(({ uuid }) => heldMdev(devices, uuid))
  const functions = guest.pciDevices.flatMap(({ address }) => {
    const owner = devices.owners.get(address)
    return owner === undefined ? [] : [heldFunction(owner, address)]
  })
  const isMissing = mdevs.some(({ address }) => address === null)
  const reason =
    joined.host.inventory.mdevs === null
      ? `the mdevs of ${joined.host.name} could not be read`
      : `${joined.host.name} has no mdev with this uuid`
  return {
    occupant: occupantOf(guest),
    gpus: [...mdevs, ...functions],
    unknownReason: isMissing ? reason : null,
  }
}

/** Who has a vGPU or a GPU without being a guest of libvirt, such as QEMU of another manager. */
const otherHolders = ({ pgpus }: JoinedHost, guests: ReadonlySet<string>): Holder[] => {
  const holders = new Map<string, Holder>()
  for (const { pgpu } of pgpus)
    for (const { occupant, mdevUuid, address, typeId, typeName } of pgpu.cells) {
      if (occupant === null || guests.has(occupant.guestUuid)) continue
      const key = occupant.guestUuid || occupant.guestName
      const holder = holders.get(key) ?? { occupant, gpus: [], unknownReason: null }
      const kind = typeId === null ? 'passthrough' : 'vgpu'
      holder.gpus.push({ address: pgpu.address, device: mdevUuid ?? address, kind, typeId, typeName })
      holders.set(key, holder)
    }
  return [...holders.values()]
}

const holdersOn = (joined: JoinedHost): Holder[] => {
  const { guests } = joined.host.inventory
  const devices: Devices = {
    owners: new Map(joined.pgpus.flatMap((one) => one.functions.map((address) => [address, one]))),
    mdevs: new Map(joined.host.description.mdevs?.map((mdev) => [mdev.uuid, mdev])),
  }
  const own = (guests ?? []).map((guest) => holderOf(joined, devices, guest))
  return [
    ...own.filter(({ gpus }) => gpus.length > 0),
    ...otherHolders(joined, new Set((guests ?? []).map(({ uuid }) => uuid))),
  ]
}

const hostOf = ({
  name,
  isSilent,
  seenAt,
}: JoinedHost['host']): Pick<GpuServer, 'host' | 'hostState' | 'seenAt'> => ({
  host: name,
  hostState: isSilent ? 'silent' : 'reporting',
  seenAt: isSilent ? seenAt : null,
})

const reportedServer = (fleet: Fleet, joined: JoinedHost, holder: Holder): GpuServer => {
  const { occupant, gpus, unknownReason } = holder
  const server = fleet.servers.get(occupant.guestUuid)
  const projectId = server?.projectId ?? occupant.projectId
  return {
    uuid: occupant.guestUuid,
    name: server?.name ?? occupant.serverName ?? occupant.guestName,
    status: server?.status ?? null,
    guestState: occupant.guestState,
    projectId,
    projectName: fleet.projects.get(projectId ?? '')?.name ?? occupant.projectName,
    flavorName: server?.flavorName ?? occupant.flavorName,
    ...hostOf(joined.host),
    gpus,
    unknownReason,
    createdAt: momentOf(server?.createdAt ?? null),
  }
}

/** GPU providers of one host, with why its guests do not have what is allocated there. */
type AllocatedOn = {
  host: Pick<GpuServer, 'host' | 'hostState' | 'seenAt'>
  providers: readonly { entry: GpuProvider; address: string | null }[]
  reason: string
}

const whyUnreported = ({ host }: JoinedHost): string => {
  if (host.inventory.guests === null) return `the guests of ${host.name} could not be read`
  return host.isSilent ? `${host.name} does not report` : `${host.name} reports no GPU of this server`
}

const allocatedOn = (joined: JoinedHost): AllocatedOn => ({
  host: hostOf(joined.host),
  providers: [
    ...joined.pgpus.flatMap(({ pgpu, providers }) =>
      providers.map((entry) => ({ entry, address: pgpu.address })),
    ),
    ...joined.strays.map((entry) => ({ entry, address: null })),
  ],
  reason: whyUnreported(joined),
})

/** Nova's servers that have GPUs by Placement's allocations alone. */
const allocatedServers = (fleet: Fleet, { host, providers, reason }: AllocatedOn): GpuServer[] => {
  const byUuid = new Map<string, GpuServer>()
  for (const { entry, address } of providers)
    for (const { consumerUuid } of fleet.allocationsByProvider.get(entry.provider.uuid) ?? []) {
      const server = fleet.servers.get(consumerUuid)
      if (server === undefined) continue
      const row = byUuid.get(consumerUuid) ?? {
        uuid: consumerUuid,
        name: server.name,
        status: server.status,
        guestState: null,
        projectId: server.projectId,
        projectName: fleet.projects.get(server.projectId)?.name ?? null,
        flavorName: server.flavorName,
        ...host,
        gpus: [],
        unknownReason: reason,
        createdAt: momentOf(server.createdAt),
      }
      const kind = entry.kind === 'mdev' ? 'vgpu' : null
      row.gpus.push({ address: address ?? entry.address, device: null, kind, typeId: null, typeName: null })
      byUuid.set(consumerUuid, row)
    }
  return [...byUuid.values()]
}

/**
 * All servers and guests that have a vGPU or a GPU in passthrough: as the hosts report them, and those that have one by Placement's
 * allocations alone. A guest that two hosts report, such as during a live migration, is listed once: on Nova's host.
 */
export function* gpuServersInSteps(fleet: Fleet): Generator<void, GpuServer[]> {
  const rows = new Map<string, GpuServer>()
  for (const joined of fleet.hosts) {
    const novaHost = joined.service.value?.host ?? joined.host.name
    for (const holder of holdersOn(joined)) {
      const row = reportedServer(fleet, joined, holder)
      const key = row.uuid || `${joined.host.name} ${row.name}`
      if (!rows.has(key) || fleet.servers.get(row.uuid)?.host === novaHost)
        rows.set(key, { ...row, uuid: key })
    }
    yield
  }
  for (const joined of fleet.hosts) {
    for (const row of allocatedServers(fleet, allocatedOn(joined)))
      if (!rows.has(row.uuid)) rows.set(row.uuid, row)
    yield
  }
  for (const { hypervisorHostname: name, providers } of fleet.unseen)
    for (const row of allocatedServers(fleet, {
      host: { host: name, hostState: 'absent', seenAt: null },
      providers: providers.map((entry) => ({ entry, address: null })),
      reason: `${name} has no agent`,
    }))
      if (!rows.has(row.uuid)) rows.set(row.uuid, row)
  return [...rows.values()]
}

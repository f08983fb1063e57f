import type { DeviceHolder, Guest, Inventory, NvidiaSmi } from '@/lib/schemas/agent/inventory'
import type { Occupant } from './types'

type SmiVgpu = NvidiaSmi['gpus'][number]['vgpus'][number]

/** Something other than libvirt that has a device in use, and where that was seen. */
export type OtherHolder = { occupant: Occupant; source: string }

/** Which guests name which mdev and which PCI address, live or persistent: a shut-off guest keeps what it holds. */
export type Occupancy = {
  byMdev: ReadonlyMap<string, Guest[]>
  byPciAddress: ReadonlyMap<string, Guest[]>
  /** In use without a guest of libvirt that names it: by mdev uuid or PCI address, as processes or nvidia-smi show it. */
  byOthers: ReadonlyMap<string, OtherHolder>
  /** Why the list of guests can't be trusted to be whole; null when it can. */
  gap: string | null
}

/** A guest in the words of the product. */
export const occupantOf = (guest: Guest): Occupant => ({
  guestUuid: guest.uuid,
  guestName: guest.name,
  guestState: guest.state,
  serverName: guest.nova?.serverName ?? null,
  flavorName: guest.nova?.flavorName ?? null,
  projectId: guest.nova?.projectId ?? null,
  projectName: guest.nova?.projectName ?? null,
  userName: guest.nova?.userName ?? null,
})

/** A guest of which little is known. A guest without a reported uuid has an empty one. */
const unknownOccupant = (guest: { uuid: string | null; name: string }): Occupant => ({
  guestUuid: guest.uuid ?? '',
  guestName: guest.name,
  guestState: 'running',
  serverName: null,
  flavorName: null,
  projectId: null,
  projectName: null,
  userName: null,
})

const processHolder = ({ pid, program, guestName, guestUuid, seenBy }: DeviceHolder): OtherHolder => ({
  occupant: unknownOccupant({ uuid: guestUuid, name: guestName ?? `${program} (process ${pid})` }),
  source:
    seenBy === 'command-line'
      ? `the command line of ${program} (process ${pid})`
      : `the VFIO file that ${program} (process ${pid}) has open`,
})

/** `win10,debug-threads=on`: NVIDIA's driver repeats all of QEMU's -name. */
const smiGuestName = ({ guestName }: SmiVgpu): string | null => {
  const name = guestName?.replace(/^guest=/, '').split(',', 1)[0] ?? ''
  return name === '' ? null : name
}

/** A guest as nvidia-smi names it. */
export const driverHolder = (vgpu: SmiVgpu): OtherHolder => ({
  occupant: unknownOccupant({
    uuid: vgpu.guestUuid,
    name: smiGuestName(vgpu) ?? vgpu.guestUuid ?? `vGPU ${vgpu.vgpuId}`,
  }),
  source: `nvidia-smi vgpu -q, as vGPU ${vgpu.vgpuId}`,
})

/** Whether nvidia-smi means this guest. */
export const isSmiGuest = (vgpu: SmiVgpu, guest: Pick<Guest, 'uuid' | 'name'>): boolean =>
  vgpu.guestUuid === null || guest.uuid === ''
    ? smiGuestName(vgpu) === guest.name
    : vgpu.guestUuid === guest.uuid

/** Whether nvidia-smi reports neither the guest nor the mdev of a vGPU. */
export const isNameless = (vgpu: SmiVgpu): boolean =>
  vgpu.mdevUuid === null && vgpu.guestUuid === null && smiGuestName(vgpu) === null

/** Of the guests that name one thing the one that holds it: the first that runs, else the first. */
export const firstHolder = (guests: readonly Guest[] | undefined): Guest | null =>
  guests?.find((guest) => guest.state === 'running') ?? guests?.[0] ?? null

const append = <Value>(map: Map<string, Value[]>, key: string, value: Value): void => {
  const held = map.get(key)
  if (held === undefined) map.set(key, [value])
  else held.push(value)
}

/** Folders in which the agent searches guests (agent/collect/guests.ts), and the files themselves. */
const GUEST_FILE = /([^/]+)\.xml$/
const GUEST_FOLDER = /libvirt\/qemu|nova_libvirt_qemu|^guests$/

/**
 * Counts the guest files and folders that could not be read. A missing file is a guest that has ended, and a guest that
 * the report has from its other file is known.
 */
const countUnread = (inventory: Inventory, guests: Guest[]): number => {
  if (inventory.problems.length === 0) return 0
  const names = new Set(guests.map((guest) => guest.name))
  const unread = new Set<string>()
  for (const problem of inventory.problems) {
    if (problem.code === 'vanished') continue
    const name = GUEST_FILE.exec(problem.source)?.[1] ?? null
    if (name === null && !GUEST_FOLDER.test(problem.source)) continue
    if (name === null || !names.has(name)) unread.add(name ?? problem.source)
  }
  return unread.size
}

const gapOf = (inventory: Inventory): string | null => {
  if (inventory.guests === null) return 'the guests could not be read'
  const unread = countUnread(inventory, inventory.guests)
  return unread === 0 ? null : 'not every guest definition could be read'
}

const readOthers = ({ deviceHolders = [], nvidiaSmi }: Inventory): Occupancy['byOthers'] => {
  const others = new Map<string, OtherHolder>()
  for (const { vgpus } of nvidiaSmi?.gpus ?? [])
    for (const vgpu of vgpus) if (vgpu.mdevUuid !== null) others.set(vgpu.mdevUuid, driverHolder(vgpu))
  // An open device is newer than the driver's list, which the agent may have read a minute ago.
  for (const holder of deviceHolders.toReversed()) others.set(holder.device, processHolder(holder))
  return others
}

/** Builds the index of who holds what. Pure; O(guests). */
export const readOccupancy = (inventory: Inventory): Occupancy => {
  const byMdev = new Map<string, Guest[]>()
  const byPciAddress = new Map<string, Guest[]>()
  for (const guest of inventory.guests ?? []) {
    for (const mdev of guest.mdevs) append(byMdev, mdev.uuid, guest)
    for (const device of guest.pciDevices) append(byPciAddress, device.address, guest)
  }
  return { byMdev, byPciAddress, byOthers: readOthers(inventory), gap: gapOf(inventory) }
}

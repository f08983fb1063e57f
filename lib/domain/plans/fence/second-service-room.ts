import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { gpuFlavorsOf, serversByGpus } from '@/lib/domain/fence/gpu-flavors'
import { gpuRoom } from '@/lib/domain/fence/gpu-room'
import { linesAfter } from '@/lib/domain/fence/lines-after'
import { plainNeeds } from '@/lib/domain/fence/plain-needs'
import { hostLines, type RoomLine, roomFor, shortOf } from '@/lib/domain/fence/room-lines'
import { worstCase } from '@/lib/domain/fence/worst-case'
import { readCpuOptions, splitOf } from '@/lib/domain/nova-config/cpu-options'
import { usable } from './aggregate-wish'
import { hostCpus } from './cpu-draft'
import type { FenceFlavor, FenceHost } from './preview'
import { landsOn } from './shut-flavors'
import type { SecondServiceWish } from './tasks'

type Division = {
  /** Of the host as one, and of the first service once there are two. */
  before: RoomLine[]
  first: RoomLine[]
  /** Of the second service, with the disk that both count. */
  second: RoomLine[]
}

/** What either service would have; null: options, CPUs or inventory of the host are not known. */
const divide = (joined: JoinedHost, wish: SecondServiceWish): Division | null => {
  const config = joined.host.inventory.novaConfig
  const cpus = hostCpus(joined)
  const root = joined.root.value
  if (config === null || cpus === null || root === null || root.inventories === null) return null
  const options = readCpuOptions(config)
  const before = splitOf(options, cpus)
  const own = { ...options, shared: null, dedicated: null }
  const after = splitOf({ ...own, pinSet: wish.sharedSet, reservedMemoryMib: wish.memoryMib }, cpus)
  const theirs = splitOf({ ...own, pinSet: wish.dedicatedSet, reservedCpus: 0 }, cpus)
  const empty = Object.fromEntries(
    Object.entries(root.inventories).map(([name, inventory]) => [
      name,
      name === 'DISK_GB' ? inventory : { ...inventory, used: 0 },
    ]),
  )
  const memory = root.inventories.MEMORY_MB
  // All memory of the host, so that the second service offers what is left of it.
  const reservedMemoryMib =
    before.reservedMemoryMib + (memory === undefined ? 0 : memory.capacity / (memory.allocationRatio ?? 1))
  return {
    before: hostLines(joined),
    first: linesAfter(root, { before, after }),
    second: linesAfter(
      { inventories: empty },
      { before, after: { ...theirs, reservedMemoryMib: reservedMemoryMib - wish.memoryMib } },
    ),
  }
}

const flavorsOf = (fleet: Fleet, joined: JoinedHost, { before, first, second }: Division): FenceFlavor[] => {
  const disk = worstCase(fleet, first, usable(fleet)).lines.find(({ name }) => name === 'DISK_GB')
  const worst = second.map((line) => (line.name === 'DISK_GB' ? (disk ?? line) : line))
  return gpuFlavorsOf(fleet).flatMap((flavor): FenceFlavor[] => {
    const gpus = serversByGpus(fleet, joined, flavor)
    if (gpus === null) return []
    const [needs, most] = [plainNeeds(flavor), gpus.value ?? 0]
    return [
      {
        id: flavor.id,
        name: flavor.name,
        before: landsOn(fleet, joined, flavor) ? Math.min(most, roomFor(before, needs)) : 0,
        after: Math.min(most, roomFor(second, needs)),
        worst: Math.min(most, roomFor(worst, needs)),
        short: shortOf(worst, needs),
      },
    ]
  })
}

const amountOf = (lines: readonly RoomLine[], name: RoomLine['name']): number =>
  lines.find((line) => line.name === name)?.capacity ?? 0

/** The host as its first service would report it, GPU servers as the second would take them, and both in one sentence. */
export const secondServiceRoom = (
  fleet: Fleet,
  joined: JoinedHost,
  wish: SecondServiceWish,
): { host: FenceHost; costs: string[] } => {
  const stateBefore = gpuRoom(fleet, joined).state
  const division = divide(joined, wish)
  if (division === null) {
    const before = hostLines(joined)
    return { host: { host: wish.host, stateBefore, before, after: before, flavors: [] }, costs: [] }
  }
  const { before, first, second } = division
  return {
    host: {
      host: wish.host,
      stateBefore,
      before,
      after: first,
      flavors: flavorsOf(fleet, joined, division),
    },
    costs: [
      `${wish.secondHost} gets ${amountOf(second, 'VCPU')} VCPU and ${amountOf(second, 'MEMORY_MB')} MiB for GPU servers; ordinary servers get ${amountOf(first, 'VCPU')} VCPU and ${amountOf(first, 'MEMORY_MB')} MiB instead of ${amountOf(before, 'VCPU')} and ${amountOf(before, 'MEMORY_MB')}.`,
    ],
  }
}

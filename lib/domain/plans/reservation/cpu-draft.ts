import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { gpuFlavorsOf, serversByGpus } from '@/lib/domain/headroom/gpu-flavors'
import { gpuHeadroom, type ordinaryServers } from '@/lib/domain/headroom/gpu-headroom'
import { type HeadroomLine, headroomFor, hostLines, shortOf } from '@/lib/domain/headroom/headroom-lines'
import { linesAfter } from '@/lib/domain/headroom/lines-after'
import { type PlainAmounts, plainNeeds } from '@/lib/domain/headroom/plain-needs'
import { type WorstCase, worstCase } from '@/lib/domain/headroom/worst-case'
import { type CpuOptions, type CpuSplit, readCpuOptions, splitOf } from '@/lib/domain/nova-config/cpu-options'
import { formatCpuSet, parseCpuSet } from '@/lib/domain/nova-config/cpu-set'
import { serversToMove } from './move-servers'
import { flavorsAfter, pinned } from './pinned-flavor'
import type { ReservationFlavor, ReservationHost } from './preview'
import { landsOn, noneFits, shutFlavors } from './shut-flavors'
import type { CpuInput } from './tasks'

/** A host's part of the plan: options and inventory before and after, and the servers to move. */
export type CpuDraft = {
  joined: JoinedHost
  before: CpuOptions
  after: CpuOptions
  splitBefore: CpuSplit
  splitAfter: CpuSplit
  /** CPUs that the host has. */
  cpus: ReadonlySet<number>
  /** GPU flavors that are to be pinned. */
  chosen: readonly Flavor[]
  /** Those whose servers cannot be scheduled on the host, with or without the reservation. */
  shut: ReturnType<typeof shutFlavors>
  lines: { before: readonly HeadroomLine[]; after: readonly HeadroomLine[]; worst: WorstCase }
  /** Ordinary servers to move; none if moves were not requested or the capacity suffices. */
  moves: ReturnType<typeof ordinaryServers>
  /** Even without all ordinary servers one GPU server does not fit. */
  isHopeless: boolean
  preview: ReservationHost
  /** Whether a host has GPUs that a flavor requests. */
  servedBy: (joined: JoinedHost, flavor: Flavor) => boolean
  /** Whether it also lets servers of the flavor come. */
  landsOn: (joined: JoinedHost, flavor: Flavor) => boolean
}

type Drafted = { draft: CpuDraft; reason: null } | { draft: null; reason: string }

const no = (reason: string): Drafted => ({ draft: null, reason })

/** The CPUs of all NUMA nodes; null: the agent does not tell. */
export const hostCpus = ({ host }: JoinedHost): Set<number> | null => {
  const { numaNodes } = host.inventory.host
  if (numaNodes === null || numaNodes.length === 0) return null
  const cpus = new Set(numaNodes.flatMap(({ cpus: text }) => [...parseCpuSet(text)]))
  return cpus.size === 0 ? null : cpus
}

const optionsAfter = (
  before: CpuOptions,
  { sharedSet, dedicatedSet, reservedMemoryMib }: CpuInput,
): CpuOptions => ({
  shared: formatCpuSet(parseCpuSet(sharedSet)),
  dedicated: formatCpuSet(parseCpuSet(dedicatedSet)),
  // With either set, Nova takes neither of these (nova/virt/libvirt/driver.py _get_vcpu_available).
  pinSet: null,
  reservedCpus: null,
  reservedMemoryMib: reservedMemoryMib ?? before.reservedMemoryMib,
})

const flavorHeadroom = (
  fleet: Fleet,
  joined: JoinedHost,
  {
    chosen,
    before,
    after,
    worst,
    shut,
  }: Pick<CpuDraft, 'chosen' | 'shut'> & Pick<CpuDraft['lines'], 'before' | 'after' | 'worst'>,
): ReservationFlavor[] =>
  gpuFlavorsOf(fleet).flatMap((flavor): ReservationFlavor[] => {
    const gpus = serversByGpus(fleet, joined, flavor)
    if (gpus === null) return []
    const max = gpus.value ?? 0
    const needs = plainNeeds(chosen.some(({ id }) => id === flavor.id) ? pinned(flavor) : flavor)
    if (shut.some(({ id }) => id === flavor.id)) return [noneFits(flavor)]
    const left = headroomFor(worst.lines, needs)
    return [
      {
        id: flavor.id,
        name: flavor.name,
        before: Math.min(max, headroomFor(before, plainNeeds(flavor))),
        after: Math.min(max, headroomFor(after, needs)),
        worst: Math.min(max, left),
        short: left > 0 ? [] : shortOf(worst.lines, needs),
      },
    ]
  })

/** The smallest GPU server of the reservation, for which servers are moved. */
const smallest = (flavors: readonly Flavor[]): PlainAmounts | null =>
  flavors.map((flavor) => plainNeeds(pinned(flavor))).toSorted((a, b) => a.MEMORY_MB - b.MEMORY_MB)[0] ?? null

const withoutMoved = (
  lines: readonly HeadroomLine[],
  moves: ReturnType<typeof ordinaryServers>,
): HeadroomLine[] =>
  lines.map((line) => {
    const used = Math.max(0, line.used - moves.reduce((sum, { needs }) => sum + needs[line.name], 0))
    return { ...line, used, free: Math.max(0, line.capacity - used) }
  })

/** How the plan would change a host, or the reason why that is unknown. */
export const draftCpus = (
  fleet: Fleet,
  joined: JoinedHost,
  { input, chosen }: { input: CpuInput; chosen: readonly Flavor[] },
): Drafted => {
  const { host } = input
  const config = joined.host.inventory.novaConfig
  const root = joined.root.value
  const cpus = hostCpus(joined)
  if (joined.host.isSilent)
    return no(`${host} has been silent since ${joined.host.seenAt}. Restart its agent first.`)
  if (config === null || joined.nova === null || joined.nova.gap !== null)
    return no(`nova.conf of ${host} could not be read completely. See its problems.`)
  if (cpus === null)
    return no(`The agent of ${host} does not report the CPUs of the host. Upgrade the agent.`)
  if (root === null || root.inventories === null)
    return no(`Placement has no inventory of ${host}: ${joined.root.because ?? 'it has not been read'}.`)
  const before = readCpuOptions(config)
  const after = optionsAfter(before, input)
  const [splitBefore, splitAfter] = [splitOf(before, cpus), splitOf(after, cpus)]
  const [now, next] = [hostLines(joined), linesAfter(root, { before: splitBefore, after: splitAfter })]
  const needs = smallest(chosen)
  const found = input.isMoving && needs !== null ? serversToMove(fleet, joined, { lines: next, needs }) : []
  const moves = found ?? []
  const moved = withoutMoved(next, moves)
  const shut = shutFlavors(fleet, joined)
  const lines = { before: now, after: moved, worst: worstCase(fleet, moved, flavorsAfter(fleet, chosen)) }
  return {
    reason: null,
    draft: {
      joined,
      before,
      after,
      splitBefore,
      splitAfter,
      cpus,
      chosen,
      shut,
      lines,
      moves,
      isHopeless: found === null,
      preview: {
        host,
        stateBefore: gpuHeadroom(fleet, joined).state,
        before: [...now],
        after: [...moved],
        flavors: flavorHeadroom(fleet, joined, { chosen, shut, ...lines }),
      },
      servedBy: (other, flavor) => serversByGpus(fleet, other, flavor) !== null,
      landsOn: (other, flavor) => landsOn(fleet, other, flavor),
    },
  }
}

import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { freeByHardware } from '@/lib/domain/cloud/free-by-hardware'
import { cloudGap } from '@/lib/domain/cloud/freshness'
import { hostAggregates } from '@/lib/domain/cloud/host-aggregates'
import type { Server } from '@/lib/domain/cloud/types'
import type { FlavorLike } from '@/lib/domain/fit/flavor-request'
import { serversByNodes } from '@/lib/domain/fit/node-headroom'
import { known, unknown } from '@/lib/domain/pgpu/known'
import type { Known } from '@/lib/domain/pgpu/types'
import { listText } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import { oncePer } from '@/lib/util/once-per'
import { flavorsForHost, gpuFlavorsOf, isGpuFlavor, serversByGpus } from './gpu-flavors'
import { afterOne, type HeadroomLine, headroomFor, hostLines, isTooMuch, shortOf } from './headroom-lines'
import { type PlainAmounts, type PlainName, plainNeeds } from './plain-needs'
import { shutOutBecause } from './shut-out'

/** A GPU flavor on a host: servers that its free GPUs would take, and those that CPU, memory and disk would take. */
type FlavorCapacity = {
  id: string
  name: string
  needs: PlainAmounts
  byGpus: number
  byHeadroom: number
  /** Classes of which there is not enough for one server. */
  short: readonly PlainName[]
  /** The host as a whole would take more than its NUMA nodes do one by one. */
  isNodeShort: boolean
  /** Why its servers may not be scheduled here, independent of free capacity; null: they may. */
  shutOut: string | null
}

/** How the headroom of a host compares with its free GPUs. */
export type HeadroomState =
  /** No GPU is free, so no headroom is needed. */
  | 'used'
  /** CPU, memory and disk suffice for every free GPU. */
  | 'fine'
  /** One more ordinary server of the size of those that run there would strand the last GPU. */
  | 'tight'
  /** Some free GPUs cannot be scheduled. */
  | 'partly'
  /** No server with a GPU can start although one is free. */
  | 'starved'
  /** No flavor requests what is free, or none of those may be scheduled there. */
  | 'unasked'
  | 'unknown'

/** The headroom of a host's free GPUs. */
export type GpuHeadroom = {
  state: HeadroomState
  /** One sentence for the state, without a full stop. */
  because: string
  freeVgpus: Known
  freeCards: Known
  lines: readonly HeadroomLine[]
  /** Flavors that ask for GPUs of the kinds that the host has, the one that fits most often first. */
  flavors: readonly FlavorCapacity[]
  /** Ordinary servers of one size, of which one more would strand the last GPU or which are most there; null: none runs. */
  ordinary: { name: string; needs: PlainAmounts; count: number } | null
}

const sumFree = (joined: JoinedHost, isCard: boolean): Known => {
  const free = joined.pgpus
    .filter(({ pgpu }) => pgpu.framework !== 'none' && (pgpu.framework === 'passthrough') === isCard)
    .map(freeByHardware)
  const gap = free.find(({ value }) => value === null)
  return gap?.value === null
    ? unknown(gap.reason)
    : known(free.reduce((sum, { value }) => sum + (value ?? 0), 0))
}

/** What a server was made from; null: Nova did not say its size. */
export const flavorOfServer = ({ vcpus, memoryMib, diskGib, extraSpecs }: Server): FlavorLike | null =>
  vcpus === null || memoryMib === null || diskGib === null
    ? null
    : { vcpus, memoryMib, diskGib, ephemeralGib: 0, swapMib: 0, extraSpecs }

/** Servers of a host whose flavor requests no GPU, with what each takes. */
export const ordinaryServers = (
  fleet: Fleet,
  { servers }: JoinedHost,
): { server: Server; needs: PlainAmounts }[] =>
  servers.flatMap((server) => {
    const flavor = flavorOfServer(server)
    return flavor === null || isGpuFlavor(fleet, flavor) ? [] : [{ server, needs: plainNeeds(flavor) }]
  })

type OrdinarySize = { ordinary: NonNullable<GpuHeadroom['ordinary']>; server: Server }

/** The sizes of the ordinary servers of a host, the most frequent first; of equally frequent ones the one with more memory. */
const ordinarySizes = (fleet: Fleet, joined: JoinedHost): OrdinarySize[] => {
  const sizes = new Map<string, OrdinarySize>()
  for (const { server, needs } of ordinaryServers(fleet, joined)) {
    const key = JSON.stringify(needs)
    const held = sizes.get(key)
    if (held === undefined)
      sizes.set(key, { ordinary: { name: server.flavorName ?? server.name, needs, count: 1 }, server })
    else held.ordinary.count += 1
  }
  return [...sizes.values()].toSorted(
    ({ ordinary: a }, { ordinary: b }) => b.count - a.count || b.needs.MEMORY_MB - a.needs.MEMORY_MB,
  )
}

/**
 * An aggregate of the host requires a trait that the flavor does not require. Only isolated aggregates read the property, so
 * an admin who sets it reserves the host (nova/scheduler/request_filter.py isolate_aggregates).
 */
const isIsolated = (fleet: Fleet, joined: JoinedHost, { extraSpecs }: FlavorLike): boolean =>
  (hostAggregates(fleet, joined) ?? []).some(({ metadata }) =>
    Object.entries(metadata).some(
      ([name, value]) => name.startsWith('trait:') && value === 'required' && extraSpecs[name] !== 'required',
    ),
  )

/** Whether the host still admits servers of the flavor: it may have been reserved after this server started. */
const isAdmitted = (fleet: Fleet, joined: JoinedHost, server: Server): boolean => {
  const flavors = fleet.input.facts.flavors.value ?? []
  const flavor = flavors.find(({ name }) => name === server.flavorName) ?? flavorOfServer(server)
  if (flavor === null) return true
  return shutOutBecause(fleet, joined, flavor) === null && !isIsolated(fleet, joined, flavor)
}

const NAMES: Readonly<Record<PlainName, string>> = {
  VCPU: 'VCPU',
  PCPU: 'PCPU',
  MEMORY_MB: 'memory',
  DISK_GB: 'disk',
}

/** `memory and VCPU`. */
export const plainText = (names: readonly PlainName[]): string => listText(names.map((name) => NAMES[name]))

const freeText = (vgpus: number, cards: number): string =>
  listText([
    ...(vgpus === 0 ? [] : [formatNoun(vgpus, 'free vGPU')]),
    ...(cards === 0 ? [] : [formatNoun(cards, 'free card')]),
  ])

/**
 * Nova assigns VFs of vendor VFIO as they are, so a vGPU that the driver could still create there is in no flavor's
 * count.
 */
const untypedText = ({ pgpus }: JoinedHost, freeVgpus: number): string | null => {
  const count = pgpus
    .filter(({ pgpu }) => pgpu.framework === 'vendor-vfio')
    .reduce((sum, { pgpu }) => sum + (pgpu.numbers.creatable.value ?? 0), 0)
  if (count === 0) return null
  const where = count === 1 ? 'is on a VF without a vGPU type' : 'are on VFs without a vGPU type'
  return `${count} of ${formatNoun(freeVgpus, 'free vGPU')} ${where}, so no server gets ${count === 1 ? 'it' : 'them'}`
}

const whyStarved = (
  free: string,
  lines: readonly HeadroomLine[],
  { name, needs, short }: FlavorCapacity,
): string => {
  const bound = lines.find((line) => isTooMuch(line, needs))
  if (bound !== undefined)
    return `a server can have at most ${bound.max} of ${bound.name} here, and ${name} requests ${needs[bound.name]} in addition to the ${free}`
  return short.length === 0
    ? `no NUMA node has the CPUs and memory for a server of ${name} together with a GPU of the ${free}`
    : `too little ${plainText(short)} is free for a server of ${name} with the ${free}`
}

const judge = ({
  free,
  lines,
  flavors,
  ordinary,
}: {
  free: string
  lines: readonly HeadroomLine[]
  flavors: readonly FlavorCapacity[]
  /** Of those that the host admits. */
  ordinary: GpuHeadroom['ordinary']
}): Pick<GpuHeadroom, 'state' | 'because'> => {
  const asking = flavors.filter(({ byGpus }) => byGpus > 0)
  const wanted = asking.filter(({ shutOut }) => shutOut === null)
  const [best] = wanted
  const [shut] = asking
  if (best === undefined)
    return {
      state: 'unasked',
      because:
        shut === undefined
          ? `no flavor requests the ${free}`
          : `${shut.name} requests the ${free}, but cannot be scheduled here: ${shut.shutOut}`,
    }
  if (best.byHeadroom === 0) return { state: 'starved', because: whyStarved(free, lines, best) }
  if (!wanted.some(({ byHeadroom, byGpus }) => byHeadroom >= byGpus))
    return {
      state: 'partly',
      because: `CPU, memory and disk are enough for ${formatNoun(best.byHeadroom, 'server')} of ${best.name}, the ${free} for ${best.byGpus}`,
    }
  const canCome = ordinary !== null && headroomFor(lines, ordinary.needs) > 0
  const next = canCome ? afterOne(lines, ordinary.needs) : lines
  const isLast = canCome && !wanted.some(({ needs }) => headroomFor(next, needs) > 0)
  return isLast
    ? {
        state: 'tight',
        because: `one more server of ${ordinary.name}, the most common flavor there, would strand the last GPU`,
      }
    : { state: 'fine', because: 'CPU, memory and disk are enough for every free GPU' }
}

const flavorCapacities = (
  fleet: Fleet,
  joined: JoinedHost,
  lines: readonly HeadroomLine[],
): { flavors: FlavorCapacity[]; gap: string | null } => {
  let gap: string | null = null
  const flavors = flavorsForHost(fleet, joined).flatMap((flavor): FlavorCapacity[] => {
    const byGpus = serversByGpus(fleet, joined, flavor)
    if (byGpus === null) return []
    const shutOut = shutOutBecause(fleet, joined, flavor)
    if (byGpus.value === null && shutOut === null) gap ??= byGpus.reason
    if (byGpus.value === null) return []
    const needs = plainNeeds(flavor)
    const ofHost = headroomFor(lines, needs)
    const byHeadroom = Math.min(ofHost, serversByNodes(joined, flavor)?.value ?? ofHost)
    return [
      {
        id: flavor.id,
        name: flavor.name,
        needs,
        byGpus: byGpus.value,
        byHeadroom: shutOut === null ? byHeadroom : 0,
        short: shortOf(lines, needs),
        isNodeShort: byHeadroom < ofHost,
        shutOut,
      },
    ]
  })
  const rank = ({ byGpus, byHeadroom, shutOut }: FlavorCapacity): number =>
    shutOut === null ? Math.min(byGpus, byHeadroom) : -1
  return {
    gap,
    flavors: flavors.toSorted(
      (a, b) => rank(b) - rank(a) || a.needs.MEMORY_MB - b.needs.MEMORY_MB || (a.name < b.name ? -1 : 1),
    ),
  }
}

const largestNeeds = oncePer((fleet: Fleet): PlainAmounts => {
  const all = gpuFlavorsOf(fleet).map(plainNeeds)
  const largest = (name: PlainName): number => all.reduce((max, needs) => Math.max(max, needs[name]), 0)
  return {
    VCPU: largest('VCPU'),
    PCPU: largest('PCPU'),
    MEMORY_MB: largest('MEMORY_MB'),
    DISK_GB: largest('DISK_GB'),
  }
})

/** False: `gpuHeadroom` is not `tight`. Most hosts have capacity for any flavor after one more ordinary server. */
export const mayBeTight = (fleet: Fleet, joined: JoinedHost): boolean => {
  if (sumFree(joined, false).value === 0 && sumFree(joined, true).value === 0) return false
  const sizes = ordinarySizes(fleet, joined)
  if (sizes.length === 0) return false
  const largest = largestNeeds(fleet)
  const lines = hostLines(joined)
  // A flavor that needs a class without a line starves, and is not tight.
  return sizes.some(({ ordinary }) =>
    afterOne(lines, ordinary.needs).some(
      (line) => isTooMuch(line, largest) || line.free < largest[line.name],
    ),
  )
}

const unknownState = (because: string, rest: Omit<GpuHeadroom, 'state' | 'because'>): GpuHeadroom => ({
  state: 'unknown',
  because,
  ...rest,
})

/**
 * Free GPUs of a host against the CPU, memory and disk that Placement still has for them. Words of Placement or Nova that
 * are missing or old give the state `unknown` with the reason.
 */
export const gpuHeadroom = (fleet: Fleet, joined: JoinedHost): GpuHeadroom => {
  const [freeVgpus, freeCards] = [sumFree(joined, false), sumFree(joined, true)]
  const root = joined.root.value
  const lines = hostLines(joined)
  const { flavors, gap } = flavorCapacities(fleet, joined, lines)
  const sizes = ordinarySizes(fleet, joined)
  const admitted = sizes.find(({ server }) => isAdmitted(fleet, joined, server))?.ordinary ?? null
  const ordinary = admitted ?? sizes[0]?.ordinary ?? null
  const rest = { freeVgpus, freeCards, lines, flavors, ordinary }
  const missing =
    cloudGap(fleet.input, 'providers') ?? cloudGap(fleet.input, 'flavors') ?? cloudGap(fleet.input, 'servers')
  if (missing !== null) return unknownState(missing, rest)
  if (joined.host.isSilent) return unknownState(`the host has been silent since ${joined.host.seenAt}`, rest)
  if (root === null) return unknownState(joined.root.because ?? 'Placement has no provider of the host', rest)
  if (root.inventories === null)
    return unknownState('the inventory of the compute node has not been read', rest)
  if (freeVgpus.value === null) return unknownState(freeVgpus.reason, rest)
  if (freeCards.value === null) return unknownState(freeCards.reason, rest)
  if (freeVgpus.value + freeCards.value === 0) return { state: 'used', because: 'no GPU is free', ...rest }
  if (gap !== null) return unknownState(gap, rest)
  const free = freeText(freeVgpus.value, freeCards.value)
  const { state, because } = judge({ free, lines, flavors, ordinary: admitted })
  const untyped = untypedText(joined, freeVgpus.value)
  if (untyped === null) return { state, because, ...rest }
  return state === 'fine'
    ? { state: 'partly', because: `${untyped}; CPU, memory and disk are enough for every one`, ...rest }
    : { state, because: `${because}; ${untyped}`, ...rest }
}

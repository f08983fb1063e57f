import { divideCapacity, emptyParts, type PgpuCounts, type PgpuParts } from './divide-capacity'

/** Index of the reason why free capacity is unknown although the driver reports it. */
export const UNSCHEDULED_REASON = -2

/** One pGPU for the totals. Indexes point into lists of the caller. */
export type TalliedPgpu = PgpuCounts & {
  isPassthrough: boolean
  /** False: no cloud is read, so the driver alone decides what is free. */
  isCloudRead: boolean
  /** Of a host that does not report, what identifies it; null: the host reports. */
  silentHost: number | null
  reasonIndex: number
  strandedReasonIndex: number
}

type Partition = {
  capacity: number
  used: number
  spare: number
  free: number
  blocked: number
  unknown: number
}

/** Running sums of one unit. `…Known` counts the pGPUs for which the number is known. */
export type UnitTally = PgpuParts & {
  pgpus: number
  capacityKnown: number
  usedKnown: number
  spareKnown: number
  orphanKnown: number
  freeKnown: number
  strandedKnown: number
  returningKnown: number
  returning: number
  /** pGPUs with an unknown number, by the index of the reason. */
  reasons: Map<number, number>
  /** Stranded capacity by the index of the reason. */
  strandedBy: Map<number, number>
  /** The part from hosts that do not report. */
  lastKnown: Partition & { pgpus: number; capacityKnown: number }
  silentHosts: Set<number>
}

/** vGPUs and passthrough GPUs are two totals and never added. */
export type FleetTally = { vgpus: UnitTally; passthrough: UnitTally }

const emptyUnit = (): UnitTally => ({
  ...emptyParts(),
  pgpus: 0,
  capacityKnown: 0,
  usedKnown: 0,
  spareKnown: 0,
  orphanKnown: 0,
  freeKnown: 0,
  strandedKnown: 0,
  returningKnown: 0,
  returning: 0,
  reasons: new Map(),
  strandedBy: new Map(),
  lastKnown: { pgpus: 0, capacityKnown: 0, capacity: 0, used: 0, spare: 0, free: 0, blocked: 0, unknown: 0 },
  silentHosts: new Set(),
})

export const emptyTally = (): FleetTally => ({ vgpus: emptyUnit(), passthrough: emptyUnit() })

const countIn = (counts: Map<number, number>, index: number, by: number): void => {
  if (by > 0) counts.set(index, (counts.get(index) ?? 0) + by)
}

const PARTS = ['capacity', 'used', 'spare', 'free', 'orphan', 'stranded', 'locked', 'unknown'] as const

const addParts = (unit: UnitTally, parts: PgpuParts): void => {
  for (const part of PARTS) unit[part] += parts[part]
}

/** What is blocked now, for any reason. */
export const blockedOf = ({ orphan, stranded, locked }: PgpuParts): number => orphan + stranded + locked

const addLastKnown = (unit: UnitTally, host: number, parts: PgpuParts | null): void => {
  const { lastKnown } = unit
  unit.silentHosts.add(host)
  lastKnown.pgpus += 1
  if (parts === null) return
  lastKnown.capacityKnown += 1
  lastKnown.capacity += parts.capacity
  lastKnown.used += parts.used
  lastKnown.spare += parts.spare
  lastKnown.free += parts.free
  lastKnown.blocked += blockedOf(parts)
  lastKnown.unknown += parts.unknown
}

const scratch = emptyParts()

/**
 * Adds one pGPU to the totals of its unit, in place, because a fleet has 80,000. Every fleet total of the product is a result of
 * this function. The last known numbers of a host that does not report count like all others and are counted separately, too. A
 * pGPU without a known capacity is in no sum.
 */
export const addPgpu = ({ vgpus, passthrough }: FleetTally, pgpu: TalliedPgpu): void => {
  const unit = pgpu.isPassthrough ? passthrough : vgpus
  unit.pgpus += 1
  if (pgpu.returning !== null) {
    unit.returningKnown += 1
    unit.returning += pgpu.returning
  }
  const parts = divideCapacity(pgpu, pgpu.isCloudRead, scratch)
  if (pgpu.silentHost !== null) addLastKnown(unit, pgpu.silentHost, parts)
  if (parts === null) {
    countIn(unit.reasons, pgpu.reasonIndex, 1)
    return
  }
  addParts(unit, parts)
  unit.capacityKnown += 1
  if (pgpu.used !== null) unit.usedKnown += 1
  if (pgpu.spare !== null) unit.spareKnown += 1
  if (pgpu.orphan !== null) unit.orphanKnown += 1
  if (pgpu.creatable !== null) unit.freeKnown += 1
  if (pgpu.stranded !== null) unit.strandedKnown += 1
  countIn(unit.strandedBy, pgpu.strandedReasonIndex, parts.stranded)
  if (parts.unknown === 0) return
  const isReported =
    pgpu.used !== null && pgpu.spare !== null && pgpu.orphan !== null && pgpu.creatable !== null
  countIn(unit.reasons, isReported ? UNSCHEDULED_REASON : pgpu.reasonIndex, 1)
}

const mergeUnit = (unit: UnitTally, other: UnitTally): void => {
  addParts(unit, other)
  unit.pgpus += other.pgpus
  unit.capacityKnown += other.capacityKnown
  unit.usedKnown += other.usedKnown
  unit.spareKnown += other.spareKnown
  unit.orphanKnown += other.orphanKnown
  unit.freeKnown += other.freeKnown
  unit.strandedKnown += other.strandedKnown
  unit.returningKnown += other.returningKnown
  unit.returning += other.returning
  for (const [index, count] of other.reasons) countIn(unit.reasons, index, count)
  for (const [index, count] of other.strandedBy) countIn(unit.strandedBy, index, count)
  for (const host of other.silentHosts) unit.silentHosts.add(host)
  for (const name of Object.keys(unit.lastKnown) as (keyof UnitTally['lastKnown'])[])
    unit.lastKnown[name] += other.lastKnown[name]
}

/** Adds the totals of other pGPUs, in place. */
export const mergeTally = (tally: FleetTally, other: FleetTally): void => {
  mergeUnit(tally.vgpus, other.vgpus)
  mergeUnit(tally.passthrough, other.passthrough)
}

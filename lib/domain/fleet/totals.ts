import type { FleetTotals } from '@/lib/schemas/api/fleet'

/** The numbers of one pGPU as a list carries them; null is unknown. */
export type PgpuCounts = {
  capacity: number | null
  used: number | null
  spare: number | null
  orphan: number | null
  returning: number | null
  creatable: number | null
}

/** Sums over pGPUs. Null: there are pGPUs, and the number of none of them is known. Over no pGPU at all a sum is 0. */
export type FleetSums = Omit<FleetTotals, 'unknownReason'>

export const emptyTotals = (): FleetSums => ({
  pgpus: 0,
  capacity: 0,
  used: 0,
  spare: 0,
  orphan: 0,
  returning: 0,
  creatable: 0,
  locked: 0,
  unknown: 0,
})

const addSum = (sum: number | null, other: number | null): number | null =>
  other === null ? sum : (sum ?? 0) + other

/** Sums over no pGPU are 0; from the first pGPU on they are unknown until one is known. */
const beginSums = (totals: FleetSums): void => {
  totals.capacity = null
  totals.used = null
  totals.spare = null
  totals.orphan = null
  totals.returning = null
  totals.creatable = null
  totals.locked = null
}

/**
 * Adds one pGPU to the totals, in place (80,000 are summed at once), and says whether all of its numbers are known. A pGPU
 * on a silent host, or with an unknown capacity, used, spare, orphan or creatable, is left out of the sums as a whole, so
 * that a sum never mixes a known capacity with an unknown use; it counts as unknown. An unknown `returning` alone counts as
 * unknown too and leaves the other sums in. Unit of the sums: vGPUs.
 *
 * The sums add up: capacity = used + spare + orphan + creatable + locked. So what the driver offers beyond the capacity is
 * left out, as in a bar, and a pGPU that holds more than its capacity counts with what it holds.
 */
export const addToTotals = (totals: FleetSums, counts: PgpuCounts, isSilent: boolean): boolean => {
  const { capacity, used, spare, orphan, returning, creatable } = counts
  if (totals.pgpus === 0) beginSums(totals)
  totals.pgpus += 1
  if (
    isSilent ||
    capacity === null ||
    used === null ||
    spare === null ||
    orphan === null ||
    creatable === null
  ) {
    totals.unknown += 1
    return false
  }
  const made = used + spare + orphan
  const places = Math.max(capacity, made)
  const free = Math.min(creatable, places - made)
  totals.capacity = (totals.capacity ?? 0) + places
  totals.used = (totals.used ?? 0) + used
  totals.spare = (totals.spare ?? 0) + spare
  totals.orphan = (totals.orphan ?? 0) + orphan
  totals.creatable = (totals.creatable ?? 0) + free
  totals.locked = (totals.locked ?? 0) + places - made - free
  totals.returning = addSum(totals.returning, returning)
  if (returning === null) totals.unknown += 1
  return returning !== null
}

/** Adds the totals of other pGPUs, in place. */
export const mergeTotals = (totals: FleetSums, others: FleetSums): void => {
  if (others.pgpus === 0) return
  if (totals.pgpus === 0) beginSums(totals)
  totals.pgpus += others.pgpus
  totals.capacity = addSum(totals.capacity, others.capacity)
  totals.used = addSum(totals.used, others.used)
  totals.spare = addSum(totals.spare, others.spare)
  totals.orphan = addSum(totals.orphan, others.orphan)
  totals.returning = addSum(totals.returning, others.returning)
  totals.creatable = addSum(totals.creatable, others.creatable)
  totals.locked = addSum(totals.locked, others.locked)
  totals.unknown += others.unknown
}

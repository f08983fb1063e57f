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

export const emptyTotals = (): FleetTotals => ({
  pgpus: 0,
  capacity: 0,
  used: 0,
  spare: 0,
  orphan: 0,
  returning: 0,
  creatable: 0,
  unknown: 0,
})

/**
 * Adds one pGPU to the totals, in place (80,000 are summed at once). A pGPU on a silent host, or with an unknown capacity,
 * used, spare, orphan or creatable, is left out of the sums as a whole, so that a sum never mixes a known capacity with an
 * unknown use; it counts as unknown. An unknown `returning` alone counts as unknown too and leaves the other sums in.
 * Unit of the sums: vGPUs.
 */
export const addToTotals = (totals: FleetTotals, counts: PgpuCounts, isSilent: boolean): void => {
  const { capacity, used, spare, orphan, returning, creatable } = counts
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
    return
  }
  if (returning === null) totals.unknown += 1
  totals.capacity += capacity
  totals.used += used
  totals.spare += spare
  totals.orphan += orphan
  totals.returning += returning ?? 0
  totals.creatable += creatable
}

/** Adds the totals of other pGPUs, in place. */
export const mergeTotals = (totals: FleetTotals, others: FleetTotals): void => {
  totals.pgpus += others.pgpus
  totals.capacity += others.capacity
  totals.used += others.used
  totals.spare += others.spare
  totals.orphan += others.orphan
  totals.returning += others.returning
  totals.creatable += others.creatable
  totals.unknown += others.unknown
}

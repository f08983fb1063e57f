import type { Stat, UsageSlot } from './usage-slot'

/**
 * Sums over the members of a group in one hour. The average of the members is weighted by their samples; `usedMib` and
 * `totalMib` are totals.
 */
export type GroupSum = { count: number; weighted: number; members: number; usedMib: number; totalMib: number }

export const NO_MEMBERS: GroupSum = { count: 0, weighted: 0, members: 0, usedMib: 0, totalMib: 0 }

/** The sum with one more member. */
export const addMember = (sum: GroupSum, { utilization, usedMib, totalMib }: UsageSlot): GroupSum => {
  const count = utilization?.count ?? 0
  const isSized = usedMib !== null && totalMib !== null
  return {
    count: sum.count + count,
    weighted: sum.weighted + count * (utilization?.average ?? 0),
    members: sum.members + Number(isSized),
    usedMib: sum.usedMib + (isSized ? usedMib.average : 0),
    totalMib: sum.totalMib + (isSized ? totalMib : 0),
  }
}

const flat = (count: number, average: number): Stat | null =>
  count === 0 ? null : { count, min: average, average, max: average }

/** The group's hour; null: no member has data. Extremes of longer spans are those of such hours. */
export const groupSlot = ({ count, weighted, members, usedMib, totalMib }: GroupSum): UsageSlot | null =>
  count === 0 && members === 0
    ? null
    : {
        utilization: flat(count, Math.round((weighted * 10) / Math.max(count, 1)) / 10),
        usedMib: flat(members, Math.round(usedMib)),
        totalMib: members === 0 ? null : totalMib,
      }

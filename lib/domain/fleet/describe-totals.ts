import { listText } from '@/lib/domain/wording'
import type { FleetTotals, UnitTotals } from '@/lib/schemas/api/totals'
import { WAITING_FOR_CLEANING } from './stranded-reasons'
import { blockedOf, type FleetTally, UNSCHEDULED_REASON, type UnitTally } from './totals'

/** A reason why numbers are unknown, with the count of the pGPUs that it concerns. */
type UnknownBy = { reason: string; pgpus: number }

/** The reasons why numbers of some pGPUs are unknown, the most frequent first. `reported`: pGPUs by reason. */
export const unknownBy = (reported: ReadonlyMap<string, number>): UnknownBy[] =>
  [...reported]
    .filter(([, pgpus]) => pgpus > 0)
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([reason, pgpus]) => ({ reason, pgpus }))

/**
 * The same in one text: `no driver`, or with several reasons `no driver (24 pGPUs) and the guests could not be read (2 pGPUs)`.
 * Null when none is unknown.
 */
export const unknownReason = (reasons: readonly UnknownBy[]): string | null => {
  const [first] = reasons
  if (first === undefined) return null
  if (reasons.length === 1) return first.reason
  return listText(
    reasons.map(({ reason, pgpus }) => `${reason} (${pgpus} ${pgpus === 1 ? 'pGPU' : 'pGPUs'})`),
    2,
  )
}

/** What the indexes of a tally mean. */
export type TallyTexts = {
  reasonAt: (index: number) => string | undefined
  strandedReasonAt: (index: number) => string | undefined
  /** ISO 8601 UTC; null: the host has never reported. */
  seenAtOf: (silentHost: number) => string | null
}

const textOf = (index: number, reasonAt: TallyTexts['reasonAt']): string => {
  if (index === UNSCHEDULED_REASON) return 'Nova and Placement do not show whether the rest can be scheduled'
  return reasonAt(index) ?? 'not reported by the host'
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const blockedBy = (unit: UnitTally, { strandedReasonAt }: TallyTexts): FleetTotals['blockedBy'] => {
  const stranded = [...unit.strandedBy].map(([index, count]) => {
    const reason = strandedReasonAt(index) ?? 'no flavor requests it'
    return {
      kind: reason === WAITING_FOR_CLEANING ? ('cleaning' as const) : ('stranded' as const),
      reason,
      count,
    }
  })
  return [
    { kind: 'orphaned' as const, reason: 'held by orphaned mdevs', count: unit.orphan },
    { kind: 'locked' as const, reason: 'locked by other vGPUs on the pGPU', count: unit.locked },
    ...stranded,
  ]
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || byText(a.reason, b.reason))
}

const lastKnownOf = (unit: UnitTally, { seenAtOf }: TallyTexts): FleetTotals['lastKnown'] => {
  const { pgpus, capacityKnown, ...partition } = unit.lastKnown
  if (pgpus === 0) return null
  const seen = [...unit.silentHosts].map(seenAtOf).filter((at) => at !== null)
  const nothing = { capacity: null, used: null, spare: null, free: null, blocked: null, unknown: null }
  return {
    hosts: unit.silentHosts.size,
    pgpus,
    ...(capacityKnown === 0 ? nothing : partition),
    oldestSeenAt: seen.toSorted()[0] ?? null,
  }
}

const describeUnit = (unit: UnitTally, texts: TallyTexts): FleetTotals => {
  const ifKnown = (sum: number, known: number): number | null => (unit.pgpus > 0 && known === 0 ? null : sum)
  const { capacityKnown } = unit
  const reported = new Map<string, number>()
  for (const [index, count] of unit.reasons) {
    const text = textOf(index, texts.reasonAt)
    reported.set(text, (reported.get(text) ?? 0) + count)
  }
  const reasons = unknownBy(reported)
  return {
    pgpus: unit.pgpus,
    capacity: ifKnown(unit.capacity, capacityKnown),
    used: ifKnown(unit.used, unit.usedKnown),
    spare: ifKnown(unit.spare, unit.spareKnown),
    free: ifKnown(unit.free, unit.freeKnown),
    blocked: ifKnown(blockedOf(unit), capacityKnown),
    unknown: ifKnown(unit.unknown, capacityKnown),
    blockedBy: blockedBy(unit, texts),
    orphan: ifKnown(unit.orphan, unit.orphanKnown),
    locked: ifKnown(unit.locked, capacityKnown),
    stranded: ifKnown(unit.stranded, unit.strandedKnown),
    returning: ifKnown(unit.returning, unit.returningKnown),
    unknownPgpus: unit.pgpus - capacityKnown,
    unknownReason: unknownReason(reasons),
    unknownBy: reasons,
    lastKnown: lastKnownOf(unit, texts),
  }
}

/** Both totals of a tally as every page, API, file and metric has them. */
export const describeTotals = (tally: FleetTally, texts: TallyTexts): UnitTotals => ({
  totals: describeUnit(tally.vgpus, texts),
  passthrough: describeUnit(tally.passthrough, texts),
})

import type { FleetTotals } from '@/lib/schemas/api/totals'
import { formatCount, formatNoun } from '@/lib/util/format'

/** `12 of 24 vGPUs in use, 3 blocked`; null: the group has none in this unit. */
export const unitNote = (totals: FleetTotals, one: string, many: string): string | null => {
  const { pgpus, capacity, used, blocked, unknown, unknownPgpus, unknownReason } = totals
  if (pgpus === 0) return null
  if (used === null || capacity === null) return `${many} unknown: ${unknownReason}`
  return [
    `${formatCount(used)} of ${formatNoun(capacity, one, many)} in use`,
    blocked === null || blocked === 0 ? null : `${formatCount(blocked)} blocked`,
    unknown === null || unknown === 0 ? null : `${formatCount(unknown)} unknown`,
    unknownPgpus === 0 ? null : `${formatNoun(unknownPgpus, 'pGPU')} unknown`,
  ]
    .filter((part) => part !== null)
    .join(', ')
}

import { findingWordsSchema, type TrackedFinding } from '@/lib/schemas/api/finding'

export const FINDING_COLUMNS = `
  f.id, f.body, f.opened_at AS "openedAt", f.closed_at AS "closedAt", f.reopened_count AS "reopenedCount",
  f.cannot_tell AS "cannotTell", f.acknowledged_by AS "acknowledgedBy", f.acknowledged_at AS "acknowledgedAt",
  f.acknowledged_until AS "acknowledgedUntil", f.note`

export type FindingRow = {
  id: number
  body: unknown
  openedAt: Date
  closedAt: Date | null
  reopenedCount: number
  cannotTell: string | null
  acknowledgedBy: string | null
  acknowledgedAt: Date | null
  acknowledgedUntil: Date | null
  note: string | null
}

const stateOf = (row: FindingRow, now: Date): TrackedFinding['state'] => {
  if (row.closedAt !== null) return 'closed'
  const { acknowledgedBy, acknowledgedUntil: until } = row
  return acknowledgedBy !== null && (until === null || until > now) ? 'acknowledged' : 'open'
}

export const trackedFinding = (row: FindingRow, now: Date): TrackedFinding => {
  const state = stateOf(row, now)
  return {
    ...findingWordsSchema.parse(row.body),
    id: row.id,
    state,
    openedAt: row.openedAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
    reopenedCount: row.reopenedCount,
    cannotTell: row.cannotTell,
    acknowledgement:
      state === 'acknowledged' && row.acknowledgedBy !== null && row.acknowledgedAt !== null
        ? {
            by: row.acknowledgedBy,
            at: row.acknowledgedAt.toISOString(),
            until: row.acknowledgedUntil?.toISOString() ?? null,
            note: row.note ?? '',
          }
        : null,
  }
}

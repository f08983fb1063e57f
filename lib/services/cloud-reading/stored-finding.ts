import type { Finding } from '@/lib/domain/findings/finding'
import type { StoredFinding } from '@/lib/domain/findings/lifecycle'
import { findingWordsSchema } from '@/lib/schemas/api/finding'

export const STORED_COLUMNS = `
  key, body, opened_at AS "openedAt", changed_at AS "changedAt", closed_at AS "closedAt",
  reopened_count AS "reopenedCount", cannot_tell AS "cannotTell", cannot_tell_since AS "cannotTellSince",
  acknowledged_by AS "acknowledgedBy", acknowledged_at AS "acknowledgedAt",
  acknowledged_until AS "acknowledgedUntil", note`

export type StoredRow = {
  key: string
  body: unknown
  openedAt: Date
  changedAt: Date
  closedAt: Date | null
  reopenedCount: number
  cannotTell: string | null
  cannotTellSince: Date | null
  acknowledgedBy: string | null
  acknowledgedAt: Date | null
  acknowledgedUntil: Date | null
  note: string | null
}

const acknowledgementOf = (row: StoredRow): StoredFinding['acknowledgement'] =>
  row.acknowledgedBy === null || row.acknowledgedAt === null
    ? null
    : {
        by: row.acknowledgedBy,
        note: row.note ?? '',
        at: row.acknowledgedAt.toISOString(),
        until: row.acknowledgedUntil?.toISOString() ?? null,
      }

const statusOf = (row: StoredRow): StoredFinding['status'] => {
  if (row.closedAt !== null) return 'closed'
  return row.acknowledgedBy === null ? 'open' : 'acknowledged'
}

export const storedFinding = (row: StoredRow): StoredFinding => {
  const finding: Finding = findingWordsSchema.parse(row.body)
  return {
    key: row.key,
    code: finding.code,
    subject: finding.subject,
    status: statusOf(row),
    finding,
    openedAt: row.openedAt.toISOString(),
    seenAt: row.changedAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
    reopenedCount: row.reopenedCount,
    acknowledgement: acknowledgementOf(row),
    cannotTell:
      row.cannotTell === null || row.cannotTellSince === null
        ? null
        : { because: row.cannotTell, since: row.cannotTellSince.toISOString() },
  }
}

/** What jsonb_to_recordset turns into a row of the table. */
export const recordOf = (stored: StoredFinding) => {
  const { finding, subject, acknowledgement, cannotTell } = stored
  return {
    key: stored.key,
    code: stored.code,
    severity: finding.severity,
    subject_kind: subject.kind,
    host: 'host' in subject ? subject.host : null,
    address: subject.kind === 'pgpu' ? subject.address : null,
    body: finding,
    opened_at: stored.openedAt,
    changed_at: stored.seenAt,
    closed_at: stored.closedAt,
    reopened_count: stored.reopenedCount,
    cannot_tell: cannotTell?.because ?? null,
    cannot_tell_since: cannotTell?.since ?? null,
    acknowledged_by: acknowledgement?.by ?? null,
    acknowledged_at: acknowledgement?.at ?? null,
    acknowledged_until: acknowledgement?.until ?? null,
    note: acknowledgement?.note ?? null,
  }
}

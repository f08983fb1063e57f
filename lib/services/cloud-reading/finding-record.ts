import type { StoredFinding } from '@/lib/domain/findings/lifecycle'

/** What jsonb_to_recordset turns into a row of the table. */
export const findingRecord = (stored: StoredFinding) => {
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

import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { ChangeState } from '@/lib/domain/plans/change-states'
import { type RequestState, requestStanding } from '@/lib/domain/quota-request/request-standing'
import type { QuotaRequest } from '@/lib/schemas/api/quota-request'
import type { Query } from '@/lib/server/database/database'

export type RequestRow = {
  id: number
  cloudId: number
  cloud: string
  projectId: string
  projectName: string
  number: number
  resourceName: string
  value: number
  until: Date | null
  reason: string
  state: RequestState
  version: number
  madeBy: string
  madeAt: Date
  decidedBy: string | null
  decidedAt: Date | null
  answer: string | null
  grantedValue: number | null
  grantedUntil: Date | null
  beforeValue: number | null
  changeId: number | null
  changeState: ChangeState | null
  changeEndedAt: Date | null
  backChangeId: number | null
  backChangeState: ChangeState | null
  endNote: string | null
  endedAt: Date | null
  problem: string | null
}

export const SELECT_REQUESTS = `
SELECT r.id, r.cloud_id AS "cloudId", c.name AS cloud, r.project_id AS "projectId", r.project_name AS "projectName",
  r.number, r.resource_name AS "resourceName", r.value, r.until, r.reason, r.state, r.version,
  r.made_by AS "madeBy", r.made_at AS "madeAt", r.decided_by AS "decidedBy", r.decided_at AS "decidedAt", r.answer,
  r.granted_value AS "grantedValue", r.granted_until AS "grantedUntil", r.before_value AS "beforeValue",
  r.change_id AS "changeId", ch.state AS "changeState", ch.ended_at AS "changeEndedAt", r.back_change_id AS "backChangeId",
  back.state AS "backChangeState", r.end_note AS "endNote", r.ended_at AS "endedAt", r.problem
FROM quota_request r JOIN cloud c ON c.id = r.cloud_id
LEFT JOIN change ch ON ch.id = r.change_id LEFT JOIN change back ON back.id = r.back_change_id`

/** `locked`: until the transaction ends nobody else decides it. */
export const findRequest = async (
  query: Query,
  id: number,
  { locked = false }: { locked?: boolean } = {},
): Promise<RequestRow | undefined> =>
  (
    await query(
      `${SELECT_REQUESTS} WHERE r.id = $1${locked ? ' FOR UPDATE OF r' : ''}`,
      [id],
      uncheckedRow<RequestRow>(),
    )
  )[0]

/** When the grant was rolled back; null unless the request is open again for that reason. */
export const revertedAtOf = (row: RequestRow): string | null =>
  requestStanding(row) === 'reverted' ? (row.changeEndedAt?.toISOString() ?? null) : null

export const requestDto = (row: RequestRow): QuotaRequest => ({
  id: row.id,
  version: row.version,
  cloud: row.cloud,
  projectId: row.projectId,
  projectName: row.projectName,
  resourceName: row.resourceName,
  value: row.value,
  until: row.until?.toISOString() ?? null,
  reason: row.reason,
  standing: requestStanding(row),
  madeBy: row.madeBy,
  madeAt: row.madeAt.toISOString(),
  decidedBy: row.decidedBy,
  decidedAt: row.decidedAt?.toISOString() ?? null,
  answer: row.answer,
  grantedValue: row.grantedValue,
  grantedUntil: row.grantedUntil?.toISOString() ?? null,
  beforeValue: row.beforeValue,
  change: row.changeId === null ? null : { id: row.changeId, state: row.changeState ?? 'gone' },
  backChange:
    row.backChangeId === null ? null : { id: row.backChangeId, state: row.backChangeState ?? 'gone' },
  revertedAt: revertedAtOf(row),
  endedAt: row.endedAt?.toISOString() ?? null,
  endNote: row.endNote,
  problem: row.problem,
})

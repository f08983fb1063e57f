import 'server-only'
import { isActiveChange, nextChangeState } from '@/lib/domain/plans/change-states'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Actor } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'
import { queueChange } from '@/lib/services/webhook-outbox/queue-change'
import type { ChangeRow } from './change-rows'
import { giveClaimsBack } from './claims'

const SET = `
UPDATE change SET state = $2, stop_reason = $3, ended_at = CASE WHEN $4 THEN $5::timestamptz END WHERE id = $1`

/** What becomes of a change by itself: its last step ended, or one was refused. In the transaction that holds its lock. */
export const endChange = async (
  query: Query,
  {
    change,
    event,
    at,
    actor,
    stopReason = null,
  }: { change: ChangeRow; event: 'finish' | 'fail'; at: Date; actor: Actor; stopReason?: string | null },
): Promise<void> => {
  const next = nextChangeState(change.state, event)
  if (next === null) return
  const isOver = !isActiveChange(next)
  await query(SET, [change.id, next, stopReason, isOver, at])
  if (isOver) await giveClaimsBack(query, change.id)
  await queueChange(query, { change, next, by: change.runBy, reason: stopReason, at })
  await writeAudit(query, {
    at,
    actor,
    cloud: change.cloud,
    action: `change.${event}`,
    subject: `change:${change.id}`,
    before: { cloud: change.cloud, state: change.state },
    after: { state: next, reason: stopReason },
  })
}

import 'server-only'
import { isActiveChange, nextChangeState } from '@/lib/domain/plans/change-states'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Actor } from '@/lib/server/context/service-context'
import type { Connection } from '@/lib/server/database/database'
import { queueChange } from '@/lib/services/webhook-outbox/queue-change'
import type { ChangeRow } from './change-rows'
import { giveClaimsBack } from './claims'

/**
 * Sets the state of a change after its last step ended or a step was refused. Runs in the transaction that holds the
 * change's lock.
 */
export const endChange = async (
  connection: Connection,
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
  await connection.prisma.change.update({
    where: { id: change.id },
    data: { state: next, stopReason, endedAt: isOver ? at : null },
    select: { id: true },
  })
  if (isOver) await giveClaimsBack(connection, change.id)
  await queueChange(connection.query, { change, next, by: change.runBy, reason: stopReason, at })
  await writeAudit(connection.query, {
    at,
    actor,
    cloud: change.cloud,
    action: `change.${event}`,
    subject: `change:${change.id}`,
    before: { cloud: change.cloud, state: change.state },
    after: { state: next, reason: stopReason },
  })
}

import 'server-only'
import * as z from 'zod'
import { COMMAND_LIMITS, type SignedCommand } from '@/lib/schemas/agent/command'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Database } from '@/lib/server/database/database'
import type { AgentActor } from '@/lib/services/report/group-member'

// SQL: row locks, and an update that depends on another table. The state is checked again under the lock, so that a command
// that was just withdrawn is not delivered. Nor is one delivered to a credential that was revoked since the request arrived.
const DELIVER = `
UPDATE agent_command k SET state = 'delivered', delivered_at = coalesce(k.delivered_at, $2::timestamptz)
FROM (SELECT id, state AS before FROM agent_command WHERE host_id = $1 AND state IN ('queued', 'delivered')
  AND expires_at > $2::timestamptz ORDER BY queued_at, id LIMIT ${COMMAND_LIMITS.delivered} FOR UPDATE) o
WHERE k.id = o.id AND k.state IN ('queued', 'delivered')
  AND EXISTS (SELECT 1 FROM agent_credential WHERE id = $3 AND host_id = $1 AND revoked_at IS NULL)
RETURNING k.id, o.before, k.order_text AS "order", k.signature`

const deliveredRow = z.object({
  id: z.string(),
  before: z.enum(['queued', 'delivered']),
  order: z.string(),
  signature: z.string(),
})

/** The open commands of the host. Each is delivered again until its result arrives; the first delivery is audited. */
export const deliverCommands = (
  { database, now }: { database: Database; now: () => Date },
  actor: AgentActor,
): Promise<SignedCommand[]> =>
  database.transaction(async ({ query }) => {
    const at = now()
    const rows = await query(DELIVER, [actor.hostId, at, actor.credentialId], deliveredRow)
    for (const { id, before } of rows)
      if (before === 'queued')
        await writeAudit(query, {
          at,
          actor,
          cloud: { id: actor.cloudId },
          action: 'agent-command.deliver',
          subject: `agent-command:${id}`,
          before: { state: before },
          after: { state: 'delivered' },
        })
    return rows.map(({ order, signature }) => ({ order, signature }))
  })

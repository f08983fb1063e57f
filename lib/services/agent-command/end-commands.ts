import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Actor } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'

/** An agent that began in time may take this long for the rest. */
const GRACE_MS = 2 * 60_000

const WITHDRAW = `
UPDATE agent_command SET state = 'withdrawn', is_settled = true, ended_at = $2::timestamptz
WHERE change_id = $1 AND state = 'queued' AND ($3::int IS NULL OR position = $3) RETURNING id, cloud_id AS "cloudId"`

const EXPIRE = `
UPDATE agent_command SET state = 'expired', ended_at = $2::timestamptz
WHERE change_id = $1 AND ((state = 'queued' AND expires_at < $2::timestamptz)
  OR (state = 'delivered' AND expires_at < $2::timestamptz - $3::int * interval '1 millisecond')) RETURNING id, cloud_id AS "cloudId"`

const SETTLE =
  'UPDATE agent_command SET is_settled = true WHERE change_id = $1 AND position = $2 AND is_undo = $3'

type Ended = { id: string; cloudId: number }
type Ending = { changeId: number; at: Date; actor: Actor }

const tell = async (
  query: Query,
  { changeId, at, actor }: Ending,
  how: 'withdrawn' | 'expired',
  ended: readonly Ended[],
) => {
  for (const { id, cloudId } of ended)
    await writeAudit(query, {
      at,
      actor,
      cloud: { id: cloudId },
      action: `agent-command.${how}`,
      subject: `agent-command:${id}`,
      before: { change: changeId },
      after: { state: how },
    })
}

/** Takes back what no agent has fetched yet: of a whole change, or of one step. */
export const withdrawCommands = async (
  query: Query,
  { position = null, ...ending }: Ending & { position?: number | null },
): Promise<void> => {
  const rows = await query(WITHDRAW, [ending.changeId, ending.at, position], uncheckedRow<Ended>())
  await tell(query, ending, 'withdrawn', rows)
}

/** Ends commands that no agent will begin any more. */
export const expireCommands = async (query: Query, ending: Ending): Promise<void> => {
  const rows = await query(EXPIRE, [ending.changeId, ending.at, GRACE_MS], uncheckedRow<Ended>())
  await tell(query, ending, 'expired', rows)
}

/** The step has taken note of how its commands of this direction ended. */
export const settleCommands = async (
  query: Query,
  { changeId, position, isUndo }: { changeId: number; position: number; isUndo: boolean },
): Promise<void> => {
  await query(SETTLE, [changeId, position, isUndo])
}

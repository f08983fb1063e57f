import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { CommandReceipt, CommandResult } from '@/lib/schemas/agent/command'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Database } from '@/lib/server/database/database'
import { AgentError } from '@/lib/server/errors/agent-error'
import type { AgentActor } from '@/lib/services/report/group-member'
import type { CommandState } from './command-rows'

const FIND = 'SELECT state FROM agent_command WHERE id = $1 AND host_id = $2 FOR NO KEY UPDATE'

const SET = `
UPDATE agent_command SET state = $2, ended_at = $3::timestamptz, message = $4, output = $5, previous = $6::jsonb
WHERE id = $1`

// Held until the commit, so that a revoked credential writes nothing from the moment on at which its revocation commits.
const VALID = `
SELECT 1 FROM agent_credential WHERE id = $1 AND host_id = $2 AND revoked_at IS NULL FOR SHARE`

/** What has not ended yet; a result that comes after its command has expired is noted and changes nothing. */
const OPEN: readonly CommandState[] = ['queued', 'delivered']

/** Takes an agent's word on a command of its own host. The first word counts; others change nothing. */
export const takeResult = (
  { database, now }: { database: Database; now: () => Date },
  { actor, result }: { actor: AgentActor; result: CommandResult },
): Promise<CommandReceipt> =>
  database.transaction(async ({ query }) => {
    if ((await query(VALID, [actor.credentialId, actor.hostId])).length === 0)
      throw new AgentError(
        'unauthorized',
        'The credential was revoked or replaced by a newer enrolment. Enrol the host again with a join token.',
      )
    const { id, outcome, message, output, previous } = result
    const [row] = await query(FIND, [id, actor.hostId], uncheckedRow<{ state: CommandState }>())
    if (row === undefined)
      throw new AgentError('not_found', `The console has no command ${id} for host "${actor.hostName}".`)
    const isLate = row.state === 'expired'
    const isApplied = OPEN.includes(row.state)
    if (!isApplied && !isLate) return { isApplied }
    const at = now()
    const told = previous === undefined ? null : JSON.stringify(previous)
    await query(SET, [id, isApplied ? outcome : row.state, at, message, output, told])
    await writeAudit(query, {
      at,
      actor,
      cloud: { id: actor.cloudId },
      action: isApplied ? 'agent-command.end' : 'agent-command.end-late',
      subject: `agent-command:${id}`,
      before: { state: row.state },
      after: { state: isApplied ? outcome : row.state, outcome, message },
    })
    return { isApplied }
  })

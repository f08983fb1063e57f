import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { AgentCommand } from '@/lib/schemas/agent/command'
import type { Query } from '@/lib/server/database/database'

export type CommandState =
  | 'queued'
  | 'delivered'
  | 'done'
  | 'refused'
  | 'failed'
  | 'interrupted'
  | 'expired'
  | 'withdrawn'

export type CommandRow = {
  id: string
  host: string
  changeId: number
  position: number
  isUndo: boolean
  state: CommandState
  command: AgentCommand
  expiresAt: Date
  message: string | null
  output: string | null
  /** Null: nothing stood there, or the agent told nothing. */
  previous: string | null
  isSettled: boolean
}

const COLUMNS = `
k.id, h.name AS host, k.change_id AS "changeId", k.position, k.is_undo AS "isUndo", k.state, k.command,
k.expires_at AS "expiresAt", k.message, k.output, k.previous, k.is_settled AS "isSettled"`

const OF_STEP = `
SELECT ${COLUMNS} FROM agent_command k JOIN host h ON h.id = k.host_id
WHERE k.change_id = $1 AND k.position = $2 ORDER BY k.revision DESC LIMIT 16`

const DELIVERED = `
SELECT ${COLUMNS} FROM agent_command k JOIN host h ON h.id = k.host_id
WHERE k.change_id = $1 AND k.state = 'delivered' AND ($2::int IS NULL OR k.position = $2) ORDER BY k.position LIMIT 1`

/** The last commands of a step, the newest first. */
export const commandsOfStep = (
  query: Query,
  { changeId, position }: { changeId: number; position: number },
): Promise<CommandRow[]> => query(OF_STEP, [changeId, position], uncheckedRow<CommandRow>())

/** A command of the change, or of one step, that an agent may be carrying out now. */
export const commandInHand = async (
  query: Query,
  { changeId, position = null }: { changeId: number; position?: number | null },
): Promise<CommandRow | undefined> =>
  (await query(DELIVERED, [changeId, position], uncheckedRow<CommandRow>()))[0]

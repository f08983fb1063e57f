import 'server-only'
import * as z from 'zod'
import type { CommandReceipt, CommandResult } from '@/lib/schemas/agent/command'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Database } from '@/lib/server/database/database'
import { AgentError } from '@/lib/server/errors/agent-error'
import { Prisma } from '@/lib/server/prisma-client/client'
import type { AgentActor } from '@/lib/services/report/group-member'
import { holdCredential } from '@/lib/services/report/hold-credential'
import { commandStateSchema } from './command-rows'

// SQL: Prisma's client has no row locks.
const FIND = 'SELECT state FROM agent_command WHERE id = $1 AND host_id = $2 FOR NO KEY UPDATE'

const commandRow = z.object({ state: commandStateSchema })

/** What has not ended yet; a result that comes after its command has expired is noted and changes nothing. */
const OPEN: readonly z.infer<typeof commandStateSchema>[] = ['queued', 'delivered']

/** Records the result that the agent of a command's host reports. The first result counts; others change nothing. */
export const takeResult = (
  { database, now }: { database: Database; now: () => Date },
  { actor, result }: { actor: AgentActor; result: CommandResult },
): Promise<CommandReceipt> =>
  database.transaction(async ({ prisma, query }) => {
    await holdCredential(query, actor)
    const { id, outcome, message, output, previous } = result
    const [row] = await query(FIND, [id, actor.hostId], commandRow)
    if (row === undefined)
      throw new AgentError('not_found', `The console has no command ${id} for host "${actor.hostName}".`)
    const isLate = row.state === 'expired'
    const isApplied = OPEN.includes(row.state)
    if (!isApplied && !isLate) return { isApplied }
    const at = now()
    const state = isApplied ? outcome : row.state
    // The agent reports that there was nothing, or nothing about it.
    const before = previous === undefined ? Prisma.DbNull : (previous ?? Prisma.JsonNull)
    await prisma.agentCommand.update({
      where: { id },
      data: { state, endedAt: at, message, output, previous: before },
      select: { id: true },
    })
    await writeAudit(query, {
      at,
      actor,
      cloud: { id: actor.cloudId },
      action: isApplied ? 'agent-command.end' : 'agent-command.end-late',
      subject: `agent-command:${id}`,
      before: { state: row.state },
      after: { state, outcome, message },
    })
    return { isApplied }
  })

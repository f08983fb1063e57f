import 'server-only'
import { COMMAND_LIMITS } from '@/lib/schemas/agent/command'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Actor } from '@/lib/server/context/service-context'
import type { Connection, PrismaConnection, Query } from '@/lib/server/database/database'
import type { Prisma } from '@/lib/server/prisma-client/client'
import { ofSteps, type StepsOfChange } from './command-rows'

/** An agent that began in time may take this long for the rest: for the program that it runs, and for its report. */
const GRACE_MS = COMMAND_LIMITS.programMs + 60_000

type Ending = { changeId: number; at: Date; actor: Actor }

const ENDED = { id: true, cloudId: true } satisfies Prisma.AgentCommandSelect
type Ended = Prisma.AgentCommandGetPayload<{ select: typeof ENDED }>

const auditEnd = async (
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

/** Withdraws the commands that no agent has fetched yet: of a whole change, or of one step. */
export const withdrawCommands = async (
  { prisma, query }: Connection,
  ending: Ending & StepsOfChange,
): Promise<void> => {
  const rows = await prisma.agentCommand.updateManyAndReturn({
    where: { ...ofSteps(ending), state: 'queued' },
    data: { state: 'withdrawn', isSettled: true, endedAt: ending.at },
    select: ENDED,
  })
  await auditEnd(query, ending, 'withdrawn', rows)
}

/** Ends commands that no agent will begin any more. */
export const expireCommands = async ({ prisma, query }: Connection, ending: Ending): Promise<void> => {
  const { changeId, at } = ending
  const rows = await prisma.agentCommand.updateManyAndReturn({
    where: {
      changeId,
      OR: [
        { state: 'queued', expiresAt: { lt: at } },
        { state: 'delivered', expiresAt: { lt: new Date(at.getTime() - GRACE_MS) } },
      ],
    },
    data: { state: 'expired', endedAt: at },
    select: ENDED,
  })
  await auditEnd(query, ending, 'expired', rows)
}

/** The step has taken note of how its commands of this direction ended. */
export const settleCommands = async (
  { prisma }: PrismaConnection,
  { changeId, position, isUndo }: { changeId: number; position: number; isUndo: boolean },
): Promise<void> => {
  await prisma.agentCommand.updateMany({
    where: { changeId, position, isUndo },
    data: { isSettled: true },
  })
}

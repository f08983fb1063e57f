import 'server-only'
import * as z from 'zod'
import { COMMAND_STATES } from '@/lib/schemas/states'
import type { PrismaConnection } from '@/lib/server/database/database'
import type { Prisma } from '@/lib/server/prisma-client/client'

export const commandStateSchema = z.enum(COMMAND_STATES)

const SELECT = {
  position: true,
  isUndo: true,
  state: true,
  expiresAt: true,
  message: true,
  output: true,
  previous: true,
  isSettled: true,
  host: { select: { name: true } },
} satisfies Prisma.AgentCommandSelect

/** Null: there was nothing before, or the agent reported nothing. */
const previousSchema = z.string().nullable()

const commandRow = ({
  host,
  state,
  previous,
  ...row
}: Prisma.AgentCommandGetPayload<{ select: typeof SELECT }>) => ({
  ...row,
  host: host.name,
  state: commandStateSchema.parse(state),
  previous: previousSchema.parse(previous),
})
export type CommandRow = ReturnType<typeof commandRow>

/** The steps of a change, or one of them. */
export type StepsOfChange = { changeId: number; position?: number | undefined }

export const ofSteps = ({ changeId, position }: StepsOfChange): Prisma.AgentCommandWhereInput =>
  position === undefined ? { changeId } : { changeId, position }

/** The last commands of a step, the newest first. */
export const commandsOfStep = async (
  { prisma }: PrismaConnection,
  { changeId, position }: { changeId: number; position: number },
): Promise<CommandRow[]> => {
  const rows = await prisma.agentCommand.findMany({
    where: { changeId, position },
    select: SELECT,
    orderBy: { revision: 'desc' },
    take: 16,
  })
  return rows.map(commandRow)
}

/** A command of the change, or of one step, that an agent may be carrying out now. */
export const commandInHand = async (
  { prisma }: PrismaConnection,
  of: StepsOfChange,
): Promise<CommandRow | undefined> => {
  const row = await prisma.agentCommand.findFirst({
    where: { ...ofSteps(of), state: 'delivered' },
    select: SELECT,
    orderBy: { position: 'asc' },
  })
  return row === null ? undefined : commandRow(row)
}

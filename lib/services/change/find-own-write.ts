import 'server-only'
import { isActiveChange } from '@/lib/domain/plans/change-states'
import { parseStoredStep } from '@/lib/domain/plans/stored-plan'
import type { PlannedStep } from '@/lib/domain/plans/types'
import { writersLike, writtenTargets } from '@/lib/domain/plans/written-targets'
import { changeStateSchema } from '@/lib/schemas/api/change'
import type { PrismaConnection } from '@/lib/server/database/database'
import { Prisma } from '@/lib/server/prisma-client/client'
import type { ChangeRow } from './change-rows'
import type { Look } from './works/step-work'

type Blocked = Extract<Look, { state: 'blocked' }>

type Input = { change: ChangeRow; step: { body: PlannedStep } }

const hostOf = ({ task }: PlannedStep): string | null => ('host' in task ? task.host : null)

/** The newest step of another change that wrote one of the targets since the change was planned. */
const findWriter = async (
  { prisma }: PrismaConnection,
  { change, step }: Input,
  targets: readonly string[],
) => {
  const kinds = writersLike(step.body.task.kind)
  const host = hostOf(step.body)
  const rows = await prisma.changeStep.findMany({
    where: {
      changeId: { not: change.id },
      change: { cloudId: change.cloudId },
      changedAt: { gt: change.madeAt },
      AND: [
        { OR: [{ intent: { not: Prisma.DbNull } }, { state: 'undone' }] },
        { OR: kinds.map((kind) => ({ body: { path: ['task', 'kind'], equals: kind } })) },
        ...(host === null ? [] : [{ body: { path: ['task', 'host'], equals: host } }]),
      ],
    },
    select: {
      position: true,
      body: true,
      intent: true,
      changedAt: true,
      change: { select: { id: true, title: true, state: true } },
    },
    orderBy: { changedAt: 'desc' },
  })
  return rows.find((row) => {
    const { task } = parseStoredStep(row).body
    return task.kind !== 'unreadable' && writtenTargets(task).some((target) => targets.includes(target))
  })
}

/** A trait that the console has restored on the provider since the change was planned. */
const findRestoredTrait = ({ prisma }: PrismaConnection, { change, step }: Input) =>
  step.body.task.kind === 'set-traits'
    ? prisma.keptTrait.findFirst({
        where: {
          cloudId: change.cloudId,
          providerName: step.body.task.providerName,
          putBackAt: { gt: change.madeAt },
        },
        select: { trait: true, putBackAt: true },
        orderBy: { putBackAt: 'desc' },
      })
    : null

/**
 * Names the console's own write where a step is blocked because its target differs from the plan: otherwise an admin would
 * search for another person.
 */
export const withOwnWrite = async (
  connection: PrismaConnection,
  input: Input,
  looked: Blocked,
): Promise<Blocked> => {
  const { by, differsAt = [] } = looked
  if (differsAt.length === 0) return looked
  const writer = await findWriter(connection, input, differsAt)
  if (writer !== undefined) {
    const { id, title, state } = writer.change
    const wait = isActiveChange(changeStateSchema.parse(state))
      ? { wayOut: `Wait until change ${id} has ended, then plan again.` }
      : {}
    return {
      ...looked,
      ...wait,
      writerChangeId: id,
      by: `${by} Change ${id} (${title}) wrote it at ${writer.changedAt?.toISOString()}.`,
    }
  }
  const restored = await findRestoredTrait(connection, input)
  return restored === null
    ? looked
    : {
        ...looked,
        by: `${by} The console restored the managed trait ${restored.trait} at ${restored.putBackAt?.toISOString()}.`,
      }
}

import 'server-only'
import * as z from 'zod'
import { isActiveChange } from '@/lib/domain/plans/change-states'
import { parseStoredStep } from '@/lib/domain/plans/stored-plan'
import { hostOfTask } from '@/lib/domain/plans/types'
import { kindsThatWrite, traitsTarget, writtenTargets } from '@/lib/domain/plans/written-targets'
import { changeStateSchema } from '@/lib/schemas/api/change-list'
import type { Connection } from '@/lib/server/database/database'
import type { ChangeRow, ReadableStep } from './change-rows'
import type { Look } from './works/step-work'

type Input = { change: ChangeRow; step: ReadableStep; isUndo: boolean; now: () => Date }

/** Why a step is blocked, what would unblock it, and the other change that caused it. */
type Reason = { by: string; wayOut: string; writerChangeId: number | null }

/** The step that caused it may be recorded later than its effect is seen: a host reports once a minute. */
const RECORDED_WITHIN_MS = 10 * 60_000
/** Whole steps that are read to find the one that wrote a target. */
const MAX_STEPS = 200

// SQL: kind and host of each step's JSON. The columns that exclude most steps come first, so that few JSON bodies are read.
// Revision 1 that is done: the target was as wanted before the step began, so the step wrote nothing.
const WRITING_STEPS = `
SELECT step.position, step.body, step.intent, change.id, change.title, change.state
FROM change JOIN change_step step ON step.change_id = change.id
WHERE change.cloud_id = $1 AND change.id <> $2 AND (change.ended_at IS NULL OR change.ended_at > $3)
  AND step.changed_at > $3 AND step.revision > 1
  AND (step.state = 'undone' OR (step.state = 'done' AND step.intent IS NOT NULL))
  AND step.body->'task'->>'kind' = ANY ($4::text[])
  AND ($5::text IS NULL OR step.body->'task'->>'host' = $5)
ORDER BY step.changed_at DESC LIMIT ${MAX_STEPS}`

const writingStepRow = z.object({
  position: z.int(),
  body: z.unknown(),
  intent: z.unknown(),
  id: z.int(),
  title: z.string(),
  state: changeStateSchema,
})
type WritingStep = z.infer<typeof writingStepRow>

/** When the state was read that the step expects: at planning; of an undo, when the step was done. */
const expectedAt = ({ change, step, isUndo }: Input): Date =>
  isUndo && step.changedAt !== null ? step.changedAt : change.madeAt

/** The newest step of another change that wrote one of the targets since then. */
const findWriter = async (
  { query }: Pick<Connection, 'query'>,
  input: Input,
  targets: readonly string[],
): Promise<WritingStep | undefined> => {
  const { change, step } = input
  const host = hostOfTask(step.body.task)
  const params = [change.cloudId, change.id, expectedAt(input), kindsThatWrite(targets), host]
  const rows = await query(WRITING_STEPS, params, writingStepRow)
  return rows.find((row) => {
    const { task } = parseStoredStep(row).body
    return task.kind !== 'unreadable' && writtenTargets(task).some((target) => targets.includes(target))
  })
}

/** A trait that the console has restored on the provider since then, if its traits are what differs. */
const findRestoredTrait = async (
  { prisma }: Pick<Connection, 'prisma'>,
  input: Input,
  targets: readonly string[],
) => {
  const { change, step } = input
  const { task } = step.body
  if (task.kind !== 'set-traits' || !targets.includes(traitsTarget(task.providerName))) return null
  return prisma.keptTrait.findFirst({
    where: {
      cloudId: change.cloudId,
      providerName: task.providerName,
      putBackAt: { gt: expectedAt(input) },
    },
    select: { trait: true, putBackAt: true },
    orderBy: { putBackAt: 'desc' },
  })
}

/** The stored reason, if the step is already blocked by this and no other is expected; else null. */
const knownReason = ({ step, isUndo, now }: Input, { by, wayOut }: Reason): Reason | null => {
  const { state, note, writerChangeId, changedAt } = step
  const isSame = state === 'blocked' && step.isUndo === isUndo && note?.startsWith(by) === true
  if (!isSame || changedAt === null) return null
  const isOpen = note === by && now().getTime() - changedAt.getTime() < RECORDED_WITHIN_MS
  return isOpen ? null : { by: note, wayOut: step.wayOut ?? wayOut, writerChangeId }
}

/**
 * Names the console's own change that caused a difference: otherwise an admin would look for another person. A turn of a
 * blocked change comes every few seconds, so nothing is read again that is known.
 */
export const withOwnWrite = async (
  connection: Connection,
  input: Input,
  { by, wayOut, differsAt = [] }: Extract<Look, { state: 'blocked' }>,
): Promise<Reason> => {
  const reason: Reason = { by, wayOut, writerChangeId: null }
  if (differsAt.length === 0) return reason
  const known = knownReason(input, reason)
  if (known !== null) return known
  const writer = await findWriter(connection, input, differsAt)
  if (writer !== undefined) {
    const { id, title, state } = writer
    const isInTheWay = !input.isUndo && isActiveChange(state)
    return {
      by: `${by} Change ${id} (${title}) changed it.`,
      // It stays when that change has ended, so it is no instruction to wait.
      wayOut: isInTheWay ? `Plan again after change ${id} has ended.` : wayOut,
      writerChangeId: id,
    }
  }
  const restored = await findRestoredTrait(connection, input, differsAt)
  return restored === null
    ? reason
    : {
        ...reason,
        by: `${by} The console restored the managed trait ${restored.trait} at ${restored.putBackAt?.toISOString()}.`,
      }
}

import 'server-only'
import * as z from 'zod'
import { isActiveChange } from '@/lib/domain/plans/change-states'
import { type Intent, parseStoredStep } from '@/lib/domain/plans/stored-plan'
import { hostOfTask } from '@/lib/domain/plans/types'
import { kindsThatWrite, traitsTarget, writtenTargets } from '@/lib/domain/plans/written-targets'
import { changeStateSchema } from '@/lib/schemas/api/change-list'
import type { ChangeState } from '@/lib/schemas/states'
import type { Actor } from '@/lib/server/context/service-context'
import type { Connection, Database } from '@/lib/server/database/database'
import type { CommandSigner } from '@/lib/services/agent-command/command-signer'
import { type ChangeRow, lockChange, type ReadableStep, type StepRow } from './change-rows'
import { endChange } from './end-change'
import { recordStep, type StepRecord } from './record-step'
import type { CheckResult, StepTools } from './step-handlers/step-work'

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
  return prisma.managedTrait.findFirst({
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
const withOwnWrite = async (
  connection: Connection,
  input: Input,
  { by, wayOut, differsAt = [] }: Extract<CheckResult, { state: 'blocked' }>,
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

/** Where a crash may come; the tests put one there. */
export type CrashPoint = 'before-intent' | 'after-intent' | 'after-effect' | 'after-result'

export type AdvanceInput = {
  database: Database
  now: () => Date
  toolsOf: (change: ChangeRow) => Promise<StepTools>
  /** Signs the commands for agents. */
  signer: CommandSigner
  /** A host without a word for longer is silent. */
  silentAfterSeconds: number
  onPoint?: (point: CrashPoint, position: number) => void
}

/** `moved`: ask again at once. `resting`: something must happen first. `over`: nothing to do. */
export type Advance = 'moved' | 'resting' | 'over'

export type Turn = AdvanceInput & {
  change: ChangeRow
  step: ReadableStep
  isUndo: boolean
  actor: Actor
}

/** The steps' transitions stand in the audit under the name of who runs the change. */
export const actorOf = ({ runBy }: ChangeRow): Actor =>
  runBy === null ? { kind: 'system' } : { kind: 'user', name: runBy.replace(/^user:/, ''), roles: [] }

type Outcome = Omit<StepRecord, 'isUndo'>

type RecordOptions = {
  whileIn?: ChangeState
  stopReason?: string | null
  /** In the same transaction, when the outcome counts. */
  also?: ((connection: Connection, recorded: ReadableStep) => Promise<void>) | undefined
}

/** Records an outcome of the turn; null if another process moved the step, or the change left `whileIn`, before. */
export const record = async (
  { database, now, change, step, isUndo, actor }: Turn,
  outcome: Outcome,
  { whileIn, stopReason = null, also }: RecordOptions = {},
): Promise<ReadableStep | null> =>
  database.transaction(async (connection) => {
    const current = await lockChange(connection, change.id)
    // The change was stopped before the call, so the call is not made.
    if (current === undefined || (whileIn !== undefined && current.state !== whileIn)) return null
    const at = now()
    const input = { change: current, step, record: { ...outcome, isUndo }, at, actor }
    const recorded = await recordStep(connection, input)
    if (recorded === null) return null
    await also?.(connection, recorded)
    if (stopReason !== null)
      await endChange(connection, { change: current, event: 'fail', at, actor, stopReason })
    return recorded
  })

export const beginOf = ({ isUndo }: Turn) => (isUndo ? 'begin-undo' : 'begin')

type Also = Pick<RecordOptions, 'also'>

export const settleHolds = async (
  turn: Turn,
  { answer, intent: found }: Omit<Extract<CheckResult, { state: 'holds' }>, 'state'>,
  options: Also = {},
): Promise<Advance> => {
  const { isUndo, step, onPoint } = turn
  const intent = isUndo ? null : (step.intent ?? found ?? null)
  await record(turn, { event: isUndo ? 'undone' : 'happened', intent, answer }, options)
  onPoint?.('after-result', step.position)
  return 'moved'
}

/** A wait of several times its usual duration is an obstacle. */
const OVERDUE_FACTOR = 5

export const isOverdue = (
  { step, now }: { step: Pick<StepRow, 'state' | 'note' | 'changedAt'>; now: () => Date },
  { by, withinSeconds }: Extract<CheckResult, { state: 'waiting' }>,
): boolean => {
  if (step.note !== by || step.changedAt === null) return false
  if (step.state === 'blocked') return true
  const waitedMs = now().getTime() - step.changedAt.getTime()
  return step.state === 'waiting' && waitedMs > withinSeconds * OVERDUE_FACTOR * 1000
}

export const settleBlocked = async (
  turn: Turn,
  found: Extract<CheckResult, { state: 'blocked' | 'waiting' }>,
  options: Also = {},
): Promise<Advance> => {
  const { intent } = turn.step
  if (found.state === 'blocked') {
    const { by: note, ...reason } = await withOwnWrite(turn.database, turn, found)
    await record(turn, { event: 'block', intent, note, ...reason }, options)
  } else {
    const { by: note, wayOut } = found
    const late = ' This is overdue: check the log of nova-compute and the findings of the host.'
    const outcome = isOverdue(turn, found)
      ? ({ event: 'block', wayOut: `${wayOut}${late}` } as const)
      : ({ event: 'wait', wayOut } as const)
    await record(turn, { ...outcome, intent, note }, options)
  }
  // In a manual change each step is checked once before the first is done, even if something blocks it now.
  return turn.change.isByHand && turn.step.state === 'pending' ? 'moved' : 'resting'
}

/** Refused or without effect: the change stops, and a person judges. An intent first: `fail` belongs to a begun step. */
export const settleFailed = async (
  turn: Turn,
  { intent, note, answer, also }: { intent: Intent | null; note: string; answer?: string } & Also,
): Promise<Advance> => {
  const begun =
    turn.step.state === 'running' ? turn.step : await record(turn, { event: beginOf(turn), intent })
  const failed = { event: 'fail' as const, intent, note, ...(answer === undefined ? {} : { answer }) }
  if (begun !== null) await record({ ...turn, step: begun }, failed, { stopReason: note, also })
  return 'over'
}

/** `because`: why its agent, which was to do it, does not. */
export const waitForHand = async (turn: Turn, intent: Intent, because?: string): Promise<Advance> => {
  const { step, isUndo } = turn
  const waits = `Waiting for you to ${isUndo ? 'revert the step' : 'do the step'}. The console checks again automatically.`
  const note = because === undefined ? waits : `${because} ${waits}`
  const wayOut = isUndo ? step.body.undoCommand : step.body.command
  await record(turn, { event: 'wait', intent, note, wayOut })
  return step.state === 'pending' || step.state === 'done' ? 'moved' : 'resting'
}

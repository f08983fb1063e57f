import 'server-only'
import type { Intent } from '@/lib/domain/plans/stored-plan'
import type { ChangeState } from '@/lib/schemas/states'
import type { Actor } from '@/lib/server/context/service-context'
import type { Connection, Database } from '@/lib/server/database/database'
import type { CommandSigner } from '@/lib/services/agent-command/command-signer'
import { type ChangeRow, lockChange, type ReadableStep, type StepRow } from './change-rows'
import { endChange } from './end-change'
import { withOwnWrite } from './find-own-write'
import { recordStep, type StepRecord } from './record-step'
import type { Look, WorkTools } from './works/step-work'

/** Where a crash may come; the tests put one there. */
export type Place = 'before-intent' | 'after-intent' | 'after-effect' | 'after-result'

export type AdvanceInput = {
  database: Database
  now: () => Date
  toolsOf: (change: ChangeRow) => Promise<WorkTools>
  /** Signs the commands for agents. */
  signer: CommandSigner
  /** A host without a word for longer is silent. */
  silentAfterSeconds: number
  reach?: (place: Place, position: number) => void
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
  { answer, intent: told }: Omit<Extract<Look, { state: 'holds' }>, 'state'>,
  options: Also = {},
): Promise<Advance> => {
  const { isUndo, step, reach } = turn
  const intent = isUndo ? null : (step.intent ?? told ?? null)
  await record(turn, { event: isUndo ? 'undone' : 'happened', intent, answer }, options)
  reach?.('after-result', step.position)
  return 'moved'
}

/** A wait of several times its usual duration is an obstacle. */
const OVERDUE_FACTOR = 5

export const isOverdue = (
  { step, now }: { step: Pick<StepRow, 'state' | 'note' | 'changedAt'>; now: () => Date },
  { by, withinSeconds }: Extract<Look, { state: 'waiting' }>,
): boolean => {
  if (step.note !== by || step.changedAt === null) return false
  if (step.state === 'blocked') return true
  const waitedMs = now().getTime() - step.changedAt.getTime()
  return step.state === 'waiting' && waitedMs > withinSeconds * OVERDUE_FACTOR * 1000
}

export const settleBlocked = async (
  turn: Turn,
  found: Extract<Look, { state: 'blocked' | 'waiting' }>,
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
  const waits = `Waiting for you to ${isUndo ? 'take it back' : 'do it'}. The console looks again by itself.`
  const note = because === undefined ? waits : `${because} ${waits}`
  const wayOut = isUndo ? step.body.undoCommand : step.body.command
  await record(turn, { event: 'wait', intent, note, wayOut })
  return step.state === 'pending' || step.state === 'done' ? 'moved' : 'resting'
}

import 'server-only'
import { nextBackward, nextForward } from '@/lib/domain/plans/step-states'
import type { Intent } from '@/lib/domain/plans/stored-plan'
import type { StepTask } from '@/lib/domain/plans/types'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import {
  type ChangeRow,
  findChange,
  findStep,
  isReadable,
  listSteps,
  lockChange,
  type ReadableStep,
  type StepRow,
} from './change-rows'
import { isOfAgent, readHand, restWithAgent, settleHand } from './drive-agent'
import { endChange } from './end-change'
import { keepTerms } from './keep-terms'
import { recordStep } from './record-step'
import { isSignInEnd } from './sign-in-ended'
import { handlerOf } from './step-handlers/step-handlers'
import { type CheckResult, type ConsoleHandler, StepFailed, type StepTools } from './step-handlers/step-work'
import { testBootHandler } from './step-handlers/test-boot'
import { edgeSteps, listStandings, listUnseen } from './step-numbers'
import {
  type Advance,
  type AdvanceInput,
  actorOf,
  beginOf,
  record,
  settleBlocked,
  settleFailed,
  settleHolds,
  type Turn,
  waitForHand,
} from './turn'

type TestTask = Extract<StepTask, { kind: 'test-boot' }>

/** A test boot that may have left a server: it had begun, and the step that deletes it has not ended. */
const leftOpen = (steps: readonly StepRow[]): { step: ReadableStep; task: TestTask } | null => {
  for (const step of steps) {
    if (!isReadable(step)) continue
    const { task } = step.body
    if (task.kind !== 'test-boot' || step.intent === null || step.state === 'skipped') continue
    const isDeleted = steps.some(
      ({ body, state }) =>
        body.task.kind === 'delete-test' && body.task.host === task.host && state === 'done',
    )
    if (!isDeleted) return { step, task }
  }
  return null
}

/** The note of a failed step stays readable; any other step is reset to its state before it began. */
const settle = (turn: Turn): Promise<ReadableStep | null> => {
  const { change, step } = turn
  const { note, wayOut } = step
  return step.state === 'failed'
    ? record(turn, { event: 'fail', intent: null, note, wayOut }, { whileIn: change.state })
    : record(
        { ...turn, isUndo: true },
        {
          event: 'undone',
          intent: null,
          note: 'The change stopped, so the test server was deleted. Resume creates another one.',
        },
        { whileIn: change.state },
      )
}

/** Deletes the test server of a stopped or discarded change, so that none keeps running. */
const sweepTestServer = async (input: AdvanceInput, change: ChangeRow): Promise<Advance> => {
  if ((change.state !== 'stopped' && change.state !== 'dropped') || change.isByHand) return 'over'
  const open = leftOpen(await listSteps(input.database, change.id))
  if (open === null) return 'over'
  const { step, task } = open
  try {
    const tools = await input.toolsOf(change)
    const looked = await testBootHandler.checkUndo(tools, task, step.intent ?? {})
    if (looked.state === 'ready') {
      await testBootHandler.undo(tools, task, looked.intent)
      return 'resting'
    }
    if (looked.state !== 'holds') return 'resting'
  } catch (error) {
    // No person's token is available; the person who continues or rolls back brings one.
    if (isSignInEnd(error)) return 'over'
    throw error
  }
  await settle({ ...input, change, step, isUndo: false, actor: actorOf(change) })
  return 'over'
}

/** What an error of a service means for the step: wait and ask again, a sign-in, or a refusal for a person to judge. */
const meaningOf = (error: unknown): 'wait' | 'sign-in' | 'refused' | null => {
  if (isSignInEnd(error)) return 'sign-in'
  if (error instanceof StepFailed) return 'refused'
  if (!isOpenStackError(error)) return null
  // The provider that Placement listed no longer exists, because Nova is recreating its providers. The next check
  // reads their names again.
  if (error.service === 'placement' && error.status === 404) return 'wait'
  const isAway = error.status === null || error.status >= 500 || error.status === 409 || error.status === 429
  return isAway && error.kind !== 'refused-endpoint' && error.kind !== 'invalid-answer' ? 'wait' : 'refused'
}

const settleError = async (turn: Turn, intent: Intent | null, error: unknown): Promise<Advance> => {
  const meaning = meaningOf(error)
  const message = error instanceof Error ? error.message : String(error)
  if (meaning === null) throw error
  if (meaning === 'wait') {
    await record(turn, { event: 'wait', intent, note: message, wayOut: 'The console retries automatically.' })
    return 'resting'
  }
  if (meaning === 'sign-in') {
    const wayOut = 'Sign in and select Resume. Any admin can do this.'
    await record(turn, { event: 'wait', intent, note: message, wayOut }, { stopReason: message })
    return 'over'
  }
  return settleFailed(turn, { intent, note: message })
}

/**
 * Record the intent, call, check, record the outcome. After a crash in between, the check of the next turn shows how
 * far the step came.
 */
const act = async (
  turn: Turn,
  { tools, work, intent }: { tools: StepTools; work: ConsoleHandler<StepTask>; intent: Intent },
): Promise<Advance> => {
  const { step, change, isUndo, onPoint } = turn
  const { task } = step.body
  onPoint?.('before-intent', step.position)
  const begun = await record(turn, { event: beginOf(turn), intent }, { whileIn: change.state })
  if (begun === null) return 'moved'
  onPoint?.('after-intent', step.position)
  const acting: Turn = { ...turn, step: begun }
  try {
    const answer = isUndo ? await work.undo(tools, task, intent) : await work.act(tools, task, intent)
    onPoint?.('after-effect', step.position)
    const after = isUndo ? await work.checkUndo(tools, task, intent) : await work.check(tools, task)
    if (after.state === 'holds') return await settleHolds(acting, { answer })
    if (after.state === 'blocked' || after.state === 'waiting') return await settleBlocked(acting, after)
    const note = `${answer} The check after it failed: ${step.body.check}`
    return await settleFailed(acting, { intent, note, answer })
  } catch (error) {
    return settleError(acting, intent, error)
  }
}

/**
 * Enabling a host without anything to verify already holds at the start, while the host is still enabled, so such a
 * step is checked last. Plans of older consoles have such steps.
 */
const isUnseen = ({ state, body: { task } }: StepRow): boolean =>
  state === 'pending' &&
  !(
    task.kind === 'open-service' &&
    task.verify.length === 0 &&
    task.cards === undefined &&
    task.moves === undefined
  )

/**
 * The start time of nova-compute is recorded before anything is reverted, so that a restart between two checks is
 * seen.
 */
const isUnnoted = ({ state, intent, body: { task } }: StepRow): boolean =>
  state === 'done' && intent !== null && task.kind === 'restart-nova' && task.direction === 'back'

type NextStep = { step: StepRow; isUndo: boolean }

/** In a manual change the steps may be done in any order, so each is checked before the first is done. */
const nextUnseen = async (
  { database }: AdvanceInput,
  { id }: ChangeRow,
  isUndo: boolean,
): Promise<StepRow | undefined> => {
  const steps = await listSteps(database, id, await listUnseen(database, id, isUndo))
  return steps.find(isUndo ? isUnnoted : isUnseen)
}

const nextStepOf = async (input: AdvanceInput, change: ChangeRow): Promise<NextStep | null> => {
  const { database } = input
  const isUndo = change.state === 'undoing'
  const unseen = change.isByHand ? await nextUnseen(input, change, isUndo) : undefined
  if (unseen !== undefined) return { step: unseen, isUndo }
  const steps = edgeSteps(await listStandings(database, change.id))
  const next = steps[(isUndo ? nextBackward(steps) : nextForward(steps)) ?? -1]
  const step = next && (await findStep(database, { changeId: change.id, position: next.position }))
  if (step === undefined) return null
  // Another console moved it between the two reads.
  return step.state === next?.state ? { step, isUndo } : nextStepOf(input, change)
}

const lookNow = async (turn: Turn, tools: StepTools): Promise<CheckResult> => {
  const { task } = turn.step.body
  const { intent } = turn.step
  return turn.isUndo && intent !== null
    ? handlerOf(task).checkUndo(tools, task, intent)
    : handlerOf(task).check(tools, task)
}

/** Ends a change, unless a person did so in the meantime. */
const finish = async ({ database, now }: AdvanceInput, change: ChangeRow): Promise<Advance> => {
  await database.transaction(async (connection) => {
    const current = await lockChange(connection, change.id)
    if (current?.state !== change.state) return
    await endChange(connection, { change: current, event: 'finish', at: now(), actor: actorOf(change) })
  })
  return 'over'
}

/** Blocks a step that can't be read and stops the change. What the step has stored stays as it is. */
const stopAt = async (
  { database, now }: AdvanceInput,
  change: ChangeRow,
  { step, isUndo }: NextStep,
): Promise<Advance> => {
  const { task } = step.body
  const note = `Step ${step.position + 1} cannot be read${task.kind === 'unreadable' ? `: ${task.because}` : ''}.`
  const wayOut = isUndo
    ? 'Skip the step to keep its result, and roll back again.'
    : 'Skip the step and continue, or plan the change again.'
  await database.transaction(async (connection) => {
    const current = await lockChange(connection, change.id)
    if (current?.state !== change.state) return
    const at = now()
    const actor = actorOf(change)
    const record = { event: 'block', isUndo, note, wayOut } as const
    if ((await recordStep(connection, { change: current, step, record, at, actor })) === null) return
    const stopReason = `${note} ${wayOut}`
    await endChange(connection, { change: current, event: 'fail', at, actor, stopReason })
  })
  return 'over'
}

/**
 * One turn of a change: checks the next step again, and runs it when nothing prevents it. Several processes may call
 * this, also after a crash: the last record wins, and a step that is done is recognized and not repeated.
 */
export const advanceChange = async (input: AdvanceInput, changeId: number): Promise<Advance> => {
  const change = await findChange(input.database, changeId)
  if (change === undefined) return 'over'
  if (change.state !== 'running' && change.state !== 'undoing') return sweepTestServer(input, change)
  const next = await nextStepOf(input, change)
  if (next === null) return finish(input, change)
  const { step } = next
  if (!isReadable(step)) return stopAt(input, change, next)
  const { isUndo } = next
  const turn: Turn = { ...input, change, step, isUndo, actor: actorOf(change) }
  const work = handlerOf(turn.step.body.task)
  const hand = isOfAgent(turn, work) ? await readHand(turn) : null
  if (hand?.isBusy) return restWithAgent(turn)
  const rest = await keepTerms(turn)
  if (rest !== null) return rest
  let looked: CheckResult
  let tools: StepTools
  try {
    tools = await input.toolsOf(change)
    looked = await lookNow(turn, tools)
  } catch (error) {
    return settleError(turn, turn.step.intent, error)
  }
  if (hand !== null && work.by === 'host') return settleHand(turn, { tools, work, hand, looked })
  if (looked.state === 'holds') return settleHolds(turn, looked)
  if (looked.state === 'blocked' || looked.state === 'waiting') return settleBlocked(turn, looked)
  const isOwn =
    work.by === 'console' &&
    turn.step.body.doer === 'console' &&
    (!change.isByHand || work.isOwnList === true)
  return isOwn ? act(turn, { tools, work, intent: looked.intent }) : waitForHand(turn, looked.intent)
}

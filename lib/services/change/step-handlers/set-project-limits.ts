import type { OwnLimitChange } from '@/lib/domain/plans/limits/tasks'
import type { StepTask } from '@/lib/domain/plans/types'
import { writtenTargets } from '@/lib/domain/plans/written-targets'
import { listText } from '@/lib/domain/wording'
import { differs, KEEP_CURRENT } from './blocked'
import { formatLimit, isAt, type LimitState, ownName, readOwn, writeOwn } from './limit-rows'
import type { CheckResult, ConsoleHandler, StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'set-project-limits' }>
type Side = 'seen' | 'wanted'

const OTHER: Readonly<Record<Side, Side>> = { seen: 'wanted', wanted: 'seen' }

const read = async (
  { limits }: StepTools,
  { limitScope: scope, limits: changes }: Task,
): Promise<LimitState[]> => readOwn((await limits.listProject()).filter(isAt(scope)), changes)

const isRecreated = (change: OwnLimitChange, side: Side): boolean =>
  change[side] === 0 && change[OTHER[side]] !== null

/** `hasBegun`: the step has written before, so a limit that is being recreated may be missing for now. */
const strangerIn = (
  states: readonly LimitState[],
  { side, hasBegun }: { side: Side; hasBegun: boolean },
): LimitState | undefined =>
  states.find(({ change, now }) => {
    if (now === change.seen || now === change.wanted) return false
    const isOnTheWay =
      hasBegun && now === null && (isRecreated(change, side) || isRecreated(change, OTHER[side]))
    return !isOnTheWay
  })

const isAtSide = (states: readonly LimitState[], side: Side): boolean =>
  states.every(({ change, now }) => now === change[side])

const bring = async (tools: StepTools, task: Task, side: Side): Promise<string> => {
  const states = await read(tools, task)
  const stranger = strangerIn(states, { side, hasBegun: true })
  if (stranger !== undefined) return `${ownName(stranger.change)} is ${formatLimit(stranger.now)}.`
  await writeOwn(tools, { scope: task.limitScope, states, side })
  const written = states.filter(({ change, now }) => now !== change[side])
  return `/v3/limits: ${listText(
    written.map(({ change }) => `${ownName(change)} ${formatLimit(change[side])}`),
    6,
  )}.`
}

const check = async (tools: StepTools, task: Task): Promise<CheckResult> => {
  const states = await read(tools, task)
  if (isAtSide(states, 'wanted'))
    return { state: 'holds', answer: `All ${task.limits.length} have the requested values.` }
  const hasBegun = (await tools.intentOf(task.stepId)) !== null
  const stranger = strangerIn(states, { side: 'wanted', hasBegun })
  if (stranger === undefined) return { state: 'ready', intent: { count: task.limits.length } }
  const { change, now } = stranger
  return differs(
    task,
    `${ownName(change)} changed after the plan was made: from ${formatLimit(change.seen)} to ${formatLimit(now)}.`,
    { targets: writtenTargets({ ...task, limits: [change] }) },
  )
}

/**
 * Writes limits of single projects whose values are those that the plan saw; any other limit is skipped and named.
 */
export const setProjectLimitsHandler: ConsoleHandler<Task> = {
  by: 'console',
  check,
  act: (tools, task) => bring(tools, task, 'wanted'),
  checkUndo: async (tools, task, intent) => {
    const states = await read(tools, task)
    if (isAtSide(states, 'seen')) return { state: 'holds', answer: 'All have the values at planning.' }
    const stranger = strangerIn(states, { side: 'seen', hasBegun: true })
    if (stranger === undefined) return { state: 'ready', intent }
    const { change, now } = stranger
    return differs(
      task,
      `${ownName(change)} changed after this change wrote it: from ${formatLimit(change.wanted)} to ${formatLimit(now)}.`,
      { wayOut: KEEP_CURRENT, targets: writtenTargets({ ...task, limits: [change] }) },
    )
  },
  undo: (tools, task) => bring(tools, task, 'seen'),
}

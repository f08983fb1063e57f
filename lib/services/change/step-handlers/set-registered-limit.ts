import type { RegisteredLimit } from '@/lib/domain/cloud/types'
import type { StepTask } from '@/lib/domain/plans/types'
import { limitTarget, writtenTargets } from '@/lib/domain/plans/written-targets'
import { listText } from '@/lib/domain/wording'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { formatNoun } from '@/lib/util/format'
import { blocked, differs, KEEP_CURRENT } from './blocked'
import { formatLimit, isAt, type LimitState, overtaken, ownName, readOwn, writeOwn } from './limit-rows'
import type { CheckResult, ConsoleHandler, StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'set-registered-limit' }>
type Side = 'seen' | 'wanted'

type Now = {
  row: RegisteredLimit | undefined
  states: LimitState[]
  /** Projects and domains with a limit on it that was created after the plan was made. */
  others: string[]
}

const read = async (
  { limits }: StepTools,
  { limitScope: scope, resourceName, overrides }: Task,
): Promise<Now> => {
  const isOurs = isAt(scope)
  const row = (await limits.listRegistered()).find(
    (each) => isOurs(each) && each.resourceName === resourceName,
  )
  const rows = (await limits.listProject()).filter(
    (each) => isOurs(each) && each.resourceName === resourceName,
  )
  const known = new Set<string | null>(overrides.map(({ projectId }) => projectId))
  const others = rows
    .filter(({ projectId }) => !known.has(projectId))
    .map(({ projectId, domainId }) => projectId ?? `domain ${domainId}`)
  return { row, states: readOwn(rows, overrides), others }
}

const isThere = ({ row, states }: Now, task: Task, side: Side): boolean =>
  row?.defaultLimit === task[side] && states.every(({ change, now }) => now === change[side])

/** What prevents the write; null: nothing. `hasBegun`: limits may be missing because this step deleted them. */
const strangerIn = ({ row, states, others }: Now, task: Task, hasBegun: boolean): string | null => {
  const { resourceName, seen, wanted } = task
  if (row !== undefined && row.defaultLimit !== seen && row.defaultLimit !== wanted)
    return `The default of ${resourceName} is ${row.defaultLimit}, and the plan changes it from ${seen} to ${wanted}`
  const [first] = others
  if (first !== undefined)
    return `${listText(others)} have a limit on ${resourceName} that was created after the plan was made, and Keystone changes a default only when no limit refers to it`
  const other = states.find(
    ({ change, now }) => now !== change.seen && now !== change.wanted && !(hasBegun && now === null),
  )
  return other === undefined
    ? null
    : `${ownName(other.change)} is ${formatLimit(other.now)}, and was ${formatLimit(other.change.seen)} when the plan was made`
}

/** Another console was faster and has put limits back already, which Keystone answers with 403: what it did is seen next time. */
const unlessOvertaken = async (tools: StepTools, task: Task, work: Promise<unknown>): Promise<void> => {
  try {
    await work
  } catch (error) {
    if (!(isOpenStackError(error) && error.status === 403)) throw error
    const { states, others } = await read(tools, task)
    const isHeld = others.length > 0 || states.some(({ now }) => now !== null)
    throw isHeld ? overtaken(error) : error
  }
}

/** What differs, with the limits that the plan did not see. */
const targetsOf = (task: Task, { others }: Now): string[] => [
  ...writtenTargets(task),
  ...others.map((projectId) => limitTarget(task.limitScope, { resourceName: task.resourceName, projectId })),
]

/** Makes each call only if it is needed, so that an interrupted step can continue. */
const bring = async (tools: StepTools, task: Task, side: Side): Promise<string> => {
  const { row, states } = await read(tools, task)
  const { limitScope: scope, resourceName } = task
  if (row === undefined) return `${resourceName} is no longer registered.`
  if (row.defaultLimit === task[side]) {
    await writeOwn(tools, { scope, states, side })
  } else {
    await writeOwn(tools, {
      scope,
      states: states.map(({ change, ...rest }) => ({ ...rest, change: { ...change, [side]: null } })),
      side,
    })
    await unlessOvertaken(tools, task, tools.limits.updateRegistered(row.id, task[side]))
    const away = states.map(({ change }) => ({ change, row: undefined, now: null }))
    await writeOwn(tools, { scope, states: away, side })
  }
  return `PATCH /v3/registered_limits/${row.id}: ${resourceName} ${task[side]}, with the limits of ${formatNoun(task.overrides.length, 'project')} on it.`
}

const check = async (tools: StepTools, task: Task): Promise<CheckResult> => {
  const now = await read(tools, task)
  if (now.row === undefined) return blocked(`${task.resourceName} is no longer registered.`)
  if (isThere(now, task, 'wanted'))
    return { state: 'holds', answer: `The default of ${task.resourceName} is ${task.wanted}.` }
  const hasBegun = (await tools.intentOf(task.stepId)) !== null
  const stranger = strangerIn(now, task, hasBegun)
  return stranger === null
    ? { state: 'ready', intent: { id: now.row.id, overrides: task.overrides.length } }
    : differs(task, `${stranger}.`, { targets: targetsOf(task, now) })
}

/** Changes a default around the limits of projects that refer to it. */
export const setRegisteredLimitHandler: ConsoleHandler<Task> = {
  by: 'console',
  check,
  act: (tools, task) => bring(tools, task, 'wanted'),
  checkUndo: async (tools, task, intent) => {
    const now = await read(tools, task)
    if (now.row === undefined)
      return {
        state: 'holds',
        answer: `${task.resourceName} is no longer registered. Its limits were deleted with it.`,
      }
    if (isThere(now, task, 'seen'))
      return { state: 'holds', answer: `The default of ${task.resourceName} is ${task.seen}.` }
    const stranger = strangerIn(now, task, true)
    return stranger === null
      ? { state: 'ready', intent }
      : differs(task, `${stranger}.`, { wayOut: KEEP_CURRENT, targets: targetsOf(task, now) })
  },
  undo: (tools, task) => bring(tools, task, 'seen'),
}

import type { StepTask } from '@/lib/domain/plans/types'
import { differs, KEEP_CURRENT } from './blocked'
import { isAt, unlessGone } from './limit-rows'
import type { ConsoleHandler, StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'remove-stray-limits' }>

type StrayState = {
  name: string
  /** What the plan saw. */
  seen: number
  /** Null: it is gone. */
  row: { id: string; value: number } | null
}

const scopeOf = ({ serviceId }: Task) => ({ serviceId, regionId: null })

const read = async (
  { limits }: StepTools,
  task: Task,
): Promise<{ registered: StrayState[]; limits: StrayState[] }> => {
  const isStray = isAt(scopeOf(task))
  const defaults = (await limits.listRegistered()).filter(isStray)
  const own = (await limits.listProject()).filter(isStray)
  return {
    registered: task.registered.map(({ resourceName, defaultLimit }) => {
      const row = defaults.find((each) => each.resourceName === resourceName)
      return {
        name: `${resourceName} without a region`,
        seen: defaultLimit,
        row: row === undefined ? null : { id: row.id, value: row.defaultLimit },
      }
    }),
    limits: task.limits.map(({ resourceName, projectId, projectName, resourceLimit }) => {
      const row = own.find((each) => each.resourceName === resourceName && each.projectId === projectId)
      return {
        name: `${resourceName} of ${projectName} without a region`,
        seen: resourceLimit,
        row: row === undefined ? null : { id: row.id, value: row.resourceLimit },
      }
    }),
  }
}

const strangerIn = (rows: readonly StrayState[]): string | null => {
  const found = rows.find(({ row, seen }) => row !== null && row.value !== seen)
  return found === undefined
    ? null
    : `${found.name} changed after the plan was made: from ${found.seen} to ${found.row?.value}.`
}

/** Limits of projects on a default that goes, which the plan did not see. */
const newHolder = async ({ limits }: StepTools, task: Task): Promise<string | null> => {
  const names = new Set(task.registered.map(({ resourceName }) => resourceName))
  const known = new Set(task.limits.map(({ projectId, resourceName }) => `${projectId} ${resourceName}`))
  const found = (await limits.listProject())
    .filter(isAt(scopeOf(task)))
    .find(
      ({ projectId, resourceName }) => names.has(resourceName) && !known.has(`${projectId} ${resourceName}`),
    )
  return found === undefined
    ? null
    : `${found.projectId ?? `domain ${found.domainId}`} now has a limit on ${found.resourceName} without a region.`
}

/** Deletes limits that Nova never reads, and recreates them on the way back. */
export const removeStrayLimitsHandler: ConsoleHandler<Task> = {
  by: 'console',
  check: async (tools, task) => {
    const { registered, limits } = await read(tools, task)
    const all = [...limits, ...registered]
    if (all.every(({ row }) => row === null))
      return { state: 'holds', answer: `None of the ${all.length} exists.` }
    const reason = strangerIn(all) ?? (await newHolder(tools, task))
    return reason === null ? { state: 'ready', intent: { count: all.length } } : differs(task, reason)
  },
  act: async (tools, task) => {
    const { registered, limits } = await read(tools, task)
    for (const { row } of limits) if (row !== null) await unlessGone(tools.limits.remove(row.id))
    for (const { row } of registered)
      if (row !== null) await unlessGone(tools.limits.removeRegistered(row.id))
    return `DELETE /v3/limits: ${limits.length}, DELETE /v3/registered_limits: ${registered.length}.`
  },
  checkUndo: async (tools, task, intent) => {
    const { registered, limits } = await read(tools, task)
    const all = [...registered, ...limits]
    const reason = strangerIn(all)
    if (reason !== null) return differs(task, reason, { wayOut: KEEP_CURRENT })
    return all.every(({ row }) => row !== null)
      ? { state: 'holds', answer: 'All exist again.' }
      : { state: 'ready', intent }
  },
  undo: async (tools, task) => {
    const { registered, limits } = await read(tools, task)
    const defaults = task.registered.filter((_, at) => registered[at]?.row === null)
    const own = task.limits.filter((_, at) => limits[at]?.row === null)
    const scope = scopeOf(task)
    if (defaults.length > 0)
      await tools.limits.createRegistered(defaults.map((limit) => ({ ...scope, ...limit })))
    if (own.length > 0)
      await tools.limits.create(
        own.map(({ resourceName, projectId, resourceLimit }) => ({
          ...scope,
          resourceName,
          projectId,
          resourceLimit,
        })),
      )
    return `POST /v3/registered_limits: ${defaults.length}, POST /v3/limits: ${own.length}.`
  },
}

import type { RegisteredLimit } from '@/lib/domain/cloud/types'
import type { LimitScope } from '@/lib/domain/plans/limits/tasks'
import type { StepTask } from '@/lib/domain/plans/types'
import { writtenTargets } from '@/lib/domain/plans/written-targets'
import { listText } from '@/lib/domain/wording'
import { blocked, differs, KEEP_CURRENT } from './blocked'
import { isAt, unlessGone } from './limit-rows'
import type { ConsoleHandler, StepTools } from './step-work'

type Task<Kind extends StepTask['kind']> = Extract<StepTask, { kind: Kind }>
type CreateTask = Task<'create-registered-limits'>

const rowsOf = async ({ limits }: StepTools, scope: LimitScope): Promise<Map<string, RegisteredLimit>> =>
  new Map((await limits.listRegistered()).filter(isAt(scope)).map((row) => [row.resourceName, row]))

/** Projects whose own limit refers to a default: Keystone then refuses to change or delete the default. */
const heldBy = async (tools: StepTools, scope: LimitScope, resourceName: string): Promise<string[]> =>
  (await tools.limits.listProject())
    .filter(isAt(scope))
    .filter((row) => row.resourceName === resourceName)
    .map(({ projectId, domainId }) => projectId ?? `domain ${domainId}`)

const holders = (ids: readonly string[]): string => listText(ids, 3)

/** Registers the defaults that are missing, in one call: all of them or none. */
export const createRegisteredLimitsHandler: ConsoleHandler<CreateTask> = {
  by: 'console',
  check: async (tools, task) => {
    const { limitScope: scope, limits: wanted } = task
    const rows = await rowsOf(tools, scope)
    const other = wanted.find(({ resourceName, defaultLimit }) => {
      const row = rows.get(resourceName)
      return row !== undefined && row.defaultLimit !== defaultLimit
    })
    if (other !== undefined)
      return differs(
        task,
        `${other.resourceName} was registered after the plan was made, with ${rows.get(other.resourceName)?.defaultLimit}. The plan has ${other.defaultLimit}.`,
        { targets: writtenTargets({ ...task, limits: [other] }) },
      )
    return wanted.every(({ resourceName }) => rows.has(resourceName))
      ? { state: 'holds', answer: `All ${wanted.length} are registered.` }
      : { state: 'ready', intent: { names: wanted.map(({ resourceName }) => resourceName) } }
  },
  act: async (tools, { limitScope: scope, limits: wanted }) => {
    const rows = await rowsOf(tools, scope)
    const missing = wanted.filter(({ resourceName }) => !rows.has(resourceName))
    if (missing.length === 0) return 'Another console has already registered all of them.'
    const made = await tools.limits.createRegistered(missing.map((limit) => ({ ...scope, ...limit })))
    return `POST /v3/registered_limits: ${made.map(({ resourceName, defaultLimit }) => `${resourceName} ${defaultLimit}`).join(', ')}.`
  },
  checkUndo: async (tools, task, intent) => {
    const { limitScope: scope, limits: wanted } = task
    const rows = await rowsOf(tools, scope)
    const left = wanted.filter(({ resourceName }) => rows.has(resourceName))
    if (left.length === 0) return { state: 'holds', answer: 'None of them is registered.' }
    const other = left.find(
      ({ resourceName, defaultLimit }) => rows.get(resourceName)?.defaultLimit !== defaultLimit,
    )
    if (other !== undefined)
      return differs(
        task,
        `${other.resourceName} changed after this change wrote it: from ${other.defaultLimit} to ${rows.get(other.resourceName)?.defaultLimit}.`,
        { wayOut: KEEP_CURRENT, targets: writtenTargets({ ...task, limits: [other] }) },
      )
    for (const { resourceName } of left) {
      const held = await heldBy(tools, scope, resourceName)
      if (held.length > 0)
        return blocked(
          `${resourceName} is kept: ${holders(held)} now have their own limit on it.`,
          'Delete those limits, or skip the step.',
        )
    }
    return { state: 'ready', intent }
  },
  undo: async (tools, { limitScope: scope, limits: wanted }) => {
    const rows = await rowsOf(tools, scope)
    for (const { resourceName } of wanted) {
      const row = rows.get(resourceName)
      if (row !== undefined) await unlessGone(tools.limits.removeRegistered(row.id))
    }
    return `DELETE /v3/registered_limits: ${wanted.map(({ resourceName }) => resourceName).join(', ')} gone.`
  },
}

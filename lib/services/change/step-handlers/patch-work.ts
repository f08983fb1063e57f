import type { ValueChange } from '@/lib/domain/plans/flavor-steps/tasks'
import type { StepTask } from '@/lib/domain/plans/types'
import { writtenTargets } from '@/lib/domain/plans/written-targets'
import { blocked, differs, KEEP_CURRENT } from './blocked'
import type { CheckResult, ConsoleHandler, StepTools } from './step-work'

type PatchTask = Extract<StepTask, { changes: readonly ValueChange[] }>

/** Where the values stand now; or why they stand nowhere any more. */
type Values = { values: ReadonlyMap<string, string>; gone: null } | { values: null; gone: string }

/** A thing of Nova of which single values are written while others stay. */
type Patched<Task extends PatchTask> = {
  /** `vgpu.a40-4q`. */
  nameOf: (task: Task) => string
  /** `the extra spec resources:VGPU`. */
  valueName: (key: string, task: Task) => string
  read: (tools: StepTools, task: Task) => Promise<Values>
  /** Writes these values, null for taken away; gives Nova's answer in words. */
  write: (
    tools: StepTools,
    task: Task,
    values: readonly { key: string; value: string | null }[],
  ) => Promise<string>
}

type Side = 'seen' | 'wanted'

const words = (value: string | null): string => (value === null ? 'nothing' : `"${value}"`)

const nowOf = (values: ReadonlyMap<string, string>, key: string): string | null => values.get(key) ?? null

/** The first value that is neither the one that the plan saw nor the requested one. */
const strangerIn = (
  changes: readonly ValueChange[],
  values: ReadonlyMap<string, string>,
): (ValueChange & { now: string | null }) | undefined =>
  changes
    .map((change) => ({ ...change, now: nowOf(values, change.key) }))
    .find(({ seen, wanted, now }) => now !== seen && now !== wanted)

const isAt = (side: Side, changes: readonly ValueChange[], values: ReadonlyMap<string, string>): boolean =>
  changes.every(({ key, [side]: value }) => nowOf(values, key) === value)

/**
 * A step that writes values which other clients may write too. It overwrites only the value that the plan saw, and
 * reverts only its own value. Any other value is skipped, and the answer names both.
 */
export const createPatchHandler = <Task extends PatchTask>(patched: Patched<Task>): ConsoleHandler<Task> => {
  const { nameOf, valueName, read, write } = patched
  const bring = async (tools: StepTools, task: Task, side: Side): Promise<string> => {
    const { values, gone } = await read(tools, task)
    if (values === null) return gone
    const stranger = strangerIn(task.changes, values)
    if (stranger !== undefined) return `${valueName(stranger.key, task)} is ${words(stranger.now)}.`
    const missing = task.changes
      .map(({ key, [side]: value }) => ({ key, value }))
      .filter(({ key, value }) => nowOf(values, key) !== value)
    return write(tools, task, missing)
  }
  const check = async (tools: StepTools, task: Task): Promise<CheckResult> => {
    const { values, gone } = await read(tools, task)
    if (values === null) return blocked(gone)
    if (isAt('wanted', task.changes, values))
      return { state: 'holds', answer: `${nameOf(task)} has the requested values.` }
    const stranger = strangerIn(task.changes, values)
    if (stranger === undefined)
      return { state: 'ready', intent: { keys: task.changes.map(({ key }) => key) } }
    return differs(
      task,
      `${nameOf(task)}: ${valueName(stranger.key, task)} changed after the plan was made: from ${words(stranger.seen)} to ${words(stranger.now)}.`,
      { targets: writtenTargets({ ...task, changes: [stranger] }) },
    )
  }
  return {
    by: 'console',
    check,
    act: (tools, task) => bring(tools, task, 'wanted'),
    checkUndo: async (tools, task, intent) => {
      const { values, gone } = await read(tools, task)
      if (values === null)
        return { state: 'holds', answer: `${gone} The values of this step were deleted with it.` }
      if (isAt('seen', task.changes, values))
        return { state: 'holds', answer: `${nameOf(task)} has the values at planning.` }
      const stranger = strangerIn(task.changes, values)
      if (stranger === undefined) return { state: 'ready', intent }
      return differs(
        task,
        `${nameOf(task)}: ${valueName(stranger.key, task)} changed after this change wrote it: from ${words(stranger.wanted)} to ${words(stranger.now)}.`,
        { wayOut: KEEP_CURRENT, targets: writtenTargets({ ...task, changes: [stranger] }) },
      )
    },
    undo: (tools, task) => bring(tools, task, 'seen'),
  }
}

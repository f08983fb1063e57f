import type { OwnLimitChange } from '@/lib/domain/plans/limits/tasks'
import type { StepTask } from '@/lib/domain/plans/types'
import { writtenTargets } from '@/lib/domain/plans/written-targets'
import { listText } from '@/lib/domain/wording'
import { differs, KEEP_CURRENT } from './blocked'
import { isAt, limitWords, ownName, readOwn, type Standing, writeOwn } from './limit-rows'
import type { ConsoleWork, Look, WorkTools } from './step-work'

type Task = Extract<StepTask, { kind: 'set-project-limits' }>
type Side = 'seen' | 'wanted'

const OTHER: Readonly<Record<Side, Side>> = { seen: 'wanted', wanted: 'seen' }

const read = async ({ limits }: WorkTools, { place, limits: changes }: Task): Promise<Standing[]> =>
  readOwn((await limits.listProject()).filter(isAt(place)), changes)

const isMadeAnew = (change: OwnLimitChange, side: Side): boolean =>
  change[side] === 0 && change[OTHER[side]] !== null

/** `hasBegun`: the step has written before, so a limit that is being recreated may be missing for now. */
const strangerIn = (
  standing: readonly Standing[],
  { side, hasBegun }: { side: Side; hasBegun: boolean },
): Standing | undefined =>
  standing.find(({ change, now }) => {
    if (now === change.seen || now === change.wanted) return false
    const isOnTheWay =
      hasBegun && now === null && (isMadeAnew(change, side) || isMadeAnew(change, OTHER[side]))
    return !isOnTheWay
  })

const isAtSide = (standing: readonly Standing[], side: Side): boolean =>
  standing.every(({ change, now }) => now === change[side])

const bring = async (tools: WorkTools, task: Task, side: Side): Promise<string> => {
  const standing = await read(tools, task)
  const stranger = strangerIn(standing, { side, hasBegun: true })
  if (stranger !== undefined) return `${ownName(stranger.change)} is ${limitWords(stranger.now)}.`
  await writeOwn(tools, { place: task.place, standing, side })
  const written = standing.filter(({ change, now }) => now !== change[side])
  return `/v3/limits: ${listText(
    written.map(({ change }) => `${ownName(change)} ${limitWords(change[side])}`),
    6,
  )}.`
}

const look = async (tools: WorkTools, task: Task): Promise<Look> => {
  const standing = await read(tools, task)
  if (isAtSide(standing, 'wanted'))
    return { state: 'holds', answer: `All ${task.limits.length} have the requested values.` }
  const hasBegun = (await tools.intentOf(task.stepId)) !== null
  const stranger = strangerIn(standing, { side: 'wanted', hasBegun })
  if (stranger === undefined) return { state: 'ready', intent: { count: task.limits.length } }
  const { change, now } = stranger
  return differs(
    task,
    `${ownName(change)} changed after the plan was made: from ${limitWords(change.seen)} to ${limitWords(now)}.`,
    { targets: writtenTargets({ ...task, limits: [change] }) },
  )
}

/**
 * Writes limits of single projects whose values are those that the plan saw; any other limit is skipped and named.
 */
export const setProjectLimitsWork: ConsoleWork<Task> = {
  by: 'console',
  look,
  act: (tools, task) => bring(tools, task, 'wanted'),
  lookBack: async (tools, task, intent) => {
    const standing = await read(tools, task)
    if (isAtSide(standing, 'seen')) return { state: 'holds', answer: 'All have the values at planning.' }
    const stranger = strangerIn(standing, { side: 'seen', hasBegun: true })
    if (stranger === undefined) return { state: 'ready', intent }
    const { change, now } = stranger
    return differs(
      task,
      `${ownName(change)} changed after this change wrote it: from ${limitWords(change.wanted)} to ${limitWords(now)}.`,
      { wayOut: KEEP_CURRENT, targets: writtenTargets({ ...task, limits: [change] }) },
    )
  },
  undo: (tools, task) => bring(tools, task, 'seen'),
}

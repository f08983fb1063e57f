import 'server-only'
import type { StepTask } from '@/lib/domain/plans/types'
import { type ChangeRow, isReadable, listSteps, type ReadableStep, type StepRow } from './change-rows'
import { isSignInEnd } from './sign-in-ended'
import { type Advance, type AdvanceInput, actorOf, record, type Turn } from './turn'
import { testBootWork } from './works/test-boot'

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
          note: 'The change stopped, so the test server was deleted. Continue makes another.',
        },
        { whileIn: change.state },
      )
}

/** Deletes the test server of a stopped or discarded change, so that none keeps running. */
export const sweepTestServer = async (input: AdvanceInput, change: ChangeRow): Promise<Advance> => {
  if ((change.state !== 'stopped' && change.state !== 'dropped') || change.isByHand) return 'over'
  const open = leftOpen(await listSteps(input.database, change.id))
  if (open === null) return 'over'
  const { step, task } = open
  try {
    const tools = await input.toolsOf(change)
    const looked = await testBootWork.lookBack(tools, task, step.intent ?? {})
    if (looked.state === 'ready') {
      await testBootWork.undo(tools, task, looked.intent)
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

import 'server-only'
import { endedBatch, windowAt } from '@/lib/domain/plans/change-terms'
import { hostOfTask } from '@/lib/domain/plans/types'
import { readSilence } from '@/lib/services/fleet/read-silence'
import type { ReadableStep } from './change-rows'
import { listBatchHosts } from './step-numbers'
import { type Advance, record, type Turn } from './turn'

/** Scheduling is disabled on all hosts before the first batch, so that no server moves from one batch to the next. */
const batchedHost = ({ body: { task } }: ReadableStep): string | null =>
  task.kind === 'close-service' ? null : hostOfTask(task)

const fullBatch = async ({ database, change, step }: Turn): Promise<ReturnType<typeof endedBatch>> => {
  const { batchHosts, lastAt } = change
  const host = batchedHost(step)
  if (batchHosts === null || host === null) return null
  const hosts = await listBatchHosts(database, change.id)
  const next = hosts.findIndex((one) => one.host === host)
  return endedBatch(hosts, { next, batchHosts, letGoAt: lastAt })
}

/** The facts for a step would be from before the hosts fell silent. */
const waitForSight = async (turn: Turn): Promise<Advance | null> => {
  const { blindness } = await readSilence(turn, { id: turn.change.cloudId })
  if (!blindness.isFleetSilent) return null
  const since = new Date(blindness.sinceMs).toISOString()
  const note = `Most hosts are silent: they stopped reporting at the same time, the last at ${since}.`
  const wayOut = 'The change continues automatically when half of them report again.'
  await record(turn, { event: 'wait', intent: turn.step.intent, note, wayOut })
  return 'resting'
}

/**
 * Checks the terms between two steps of the console: whether the window is open, whether a batch is full, and whether
 * the hosts report at all. Null: continue. A step that has begun is completed, and neither a roll back nor a person
 * who works manually waits.
 */
export const keepTerms = async (turn: Turn): Promise<Advance | null> => {
  const { change, step, isUndo, now } = turn
  const isBegun = step.state === 'running' || step.intent !== null
  if (isUndo || change.isByHand || isBegun) return null
  const position = windowAt(change.window, now())
  if (position === 'early') {
    const note = `The change window opens at ${change.window?.from}.`
    const wayOut = 'The change then continues automatically.'
    await record(turn, { event: 'wait', intent: step.intent, note, wayOut })
    return 'resting'
  }
  const full = await fullBatch(turn)
  if (position === 'open' && full === null) return waitForSight(turn)
  const stopReason =
    full === null
      ? `The change window closed at ${change.window?.until}: set another window and continue, or roll back.`
      : `Batch ${full.batch} of ${full.batches} is done. Check its hosts, then select Resume.`
  await record(turn, { event: 'wait', intent: step.intent, note: stopReason }, { stopReason })
  return 'over'
}

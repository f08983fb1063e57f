import 'server-only'
import { endedBatch, windowAt } from '@/lib/domain/plans/change-terms'
import { readSilence } from '@/lib/services/fleet/read-silence'
import type { StepStateRow } from './change-rows'
import { type Advance, record, type Turn } from './turn'

const ENDED = ['done', 'skipped']

/** Scheduling is disabled on all hosts before the first batch, so that no server moves from one batch to the next. */
const batchedHost = ({ kind, host }: StepStateRow): string | null => (kind === 'close-service' ? null : host)

/** What a step would go by are words from before the hosts fell silent. */
const waitForSight = async (turn: Turn): Promise<Advance | null> => {
  const { blindness } = await readSilence(turn, { id: turn.change.cloudId })
  if (!blindness.isBlind) return null
  const since = new Date(blindness.sinceMs).toISOString()
  const note = `Most hosts are silent: they stopped reporting at the same time, the last at ${since}.`
  const wayOut = 'It goes on by itself when half of them speak again.'
  await record(turn, { event: 'wait', intent: turn.step.intent, note, wayOut })
  return 'resting'
}

/**
 * Between two steps that the console does: whether the window is open, whether a batch is full, and whether it sees the hosts
 * at all. Null: go on. What was begun is ended, and neither a roll back nor a person who works by hand waits.
 */
export const keepTerms = async (turn: Turn, steps: readonly StepStateRow[]): Promise<Advance | null> => {
  const { change, step, isUndo, now } = turn
  const isBegun = step.state === 'running' || step.intent !== null
  if (isUndo || change.isByHand || isBegun) return null
  const place = windowAt(change.window, now())
  if (place === 'early') {
    const note = `The change window opens at ${change.window?.from}.`
    const wayOut = 'It goes on by itself then.'
    await record(turn, { event: 'wait', intent: step.intent, note, wayOut })
    return 'resting'
  }
  const full = endedBatch(
    steps.map((one) => ({
      host: batchedHost(one),
      isEnded: ENDED.includes(one.state),
      changedAt: one.changedAt,
    })),
    {
      next: steps.findIndex(({ position }) => position === step.position),
      batchHosts: change.batchHosts,
      letGoAt: change.lastAt,
    },
  )
  if (place === 'open' && full === null) return waitForSight(turn)
  const stopReason =
    full === null
      ? `The change window closed at ${change.window?.until}: set another window and go on, or roll back.`
      : `Batch ${full.batch} of ${full.batches} is done: look at its hosts, then press Go on.`
  await record(turn, { event: 'wait', intent: step.intent, note: stopReason }, { stopReason })
  return 'over'
}

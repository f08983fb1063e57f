import { type Acknowledgement, formatPosition, type Position } from '@/lib/schemas/agent/report'
import type { Enrollment } from '../enroll/enrollment'
import type { CommandExecutor } from '../execute/command-executor'
import type { BackOff } from '../http/back-off'
import type { ConsoleClient } from '../http/console-client'
import type { Outcome } from '../http/outcome'
import type { SampleBox } from '../samples/sample-box'
import type { SpoolEntry } from '../spool/spool-entry'
import { type AgentLog, reasonOf } from './run-log'
import type { Outbox } from './run-outbox'
import type { Positions } from './run-positions'
import { createStuckReports } from './run-stuck'
import type { HostWatch } from './run-watch'

/** What to do after one exchange with the console: continue at once, rest until there is news, or wait. */
type Step = { kind: 'again' } | { kind: 'idle' } | { kind: 'wait'; ms: number }

export type DeliveryOptions = {
  outbox: Outbox
  positions: Positions
  watch: Pick<HostWatch, 'current'>
  enrollment: Enrollment
  client: ConsoleClient
  backOff: BackOff
  /** Name to enroll under; null takes the one that the scan found. */
  hostName: () => string | null
  /** The run ends after one try, so no retry is announced. */
  isOnce: boolean
  /** Wait after the console has refused token, credential or content: only a person can change that. */
  refusedWaitMs: number
  executor: Pick<CommandExecutor, 'result' | 'reported'>
  samples: Pick<SampleBox, 'due' | 'delivered' | 'clear'>
  /** Called with each acknowledgement. */
  onAcknowledged: (acknowledgement: Acknowledgement) => Promise<void>
  /** Called with the digest that the console now holds, when nothing waits behind it. */
  onUpToDate: (digest: string) => Promise<void>
  log: AgentLog
}

export type Delivery = {
  /** A scan has ended: the console is owed a sign of life. */
  owe: () => void
  /** One exchange: enroll, else the oldest report, else a heartbeat, the result of a command, or samples. */
  step: (signal: AbortSignal) => Promise<Step>
}

const PENDING_WAIT_MS = 30_000

const AGAIN: Step = { kind: 'again' }
const IDLE: Step = { kind: 'idle' }

export const createDelivery = (options: DeliveryOptions): Delivery => {
  const { outbox, positions, watch, enrollment, client, backOff, refusedWaitMs, isOnce, log } = options
  const stuck = createStuckReports({ isOnce })
  let isOwed = false
  let isDown = false
  /** The last sentence about an enrollment that waits for approval. */
  let loggedPending: string | null = null
  /** The console's last value; null: it takes no samples, or has not answered yet. */
  let samplesEverySeconds: number | null = null

  const retryLater = ({ message, retryAfterMs }: Extract<Outcome<unknown>, { kind: 'retry' }>): Step => {
    isDown = true
    // Jitter on top of the wait that the console requested, or all hosts come back in the same second.
    const ms = (retryAfterMs ?? 0) + backOff.nextMs()
    const next = isOnce ? '' : ` Trying again in ${(ms / 1000).toFixed(1)} s;`
    log.warn(
      `${message}${next} ${isOnce ? 'Unsent' : 'unsent'} reports wait on disk${isOnce ? ' for the next run' : ''}.`,
    )
    return { kind: 'wait', ms }
  }

  const stopSending = async (message: string): Promise<Step> => {
    if (await enrollment.reject()) {
      log.warn(`The console refuses this host's credential: ${message} Enrolling again with the join token.`)
      return AGAIN
    }
    log.warn(
      `The console refuses this host: ${message} Nothing is sent until it is enrolled with a new join token; next try in ${Math.round(refusedWaitMs / 60_000)} min.`,
    )
    return { kind: 'wait', ms: refusedWaitMs }
  }

  const acknowledge = async (acknowledgement: Acknowledgement) => {
    backOff.reset()
    if (isDown) log.info('The console is reached again.')
    isDown = false
    await enrollment.confirm()
    samplesEverySeconds = acknowledgement.samplesEverySeconds ?? null
    if (samplesEverySeconds === null) await options.samples.clear()
    await options.onAcknowledged(acknowledgement).catch((error: unknown) =>
      // The report counts; commands come again with the next answer.
      log.warn(`Commands could not be taken from the answer: ${reasonOf(error)}.`),
    )
  }

  const jumpAhead = async ({ newest }: Acknowledgement): Promise<Step> => {
    const before = positions.boot()
    await outbox.jumpAhead(newest)
    log.warn(
      `The console knows position ${newest.boot}.${newest.sequence} of this host, beyond boot ${before}: the counter was lost, or another agent reports as this host. Going on with boot ${positions.boot()}.`,
    )
    return AGAIN
  }

  /** Asks at the pace that the console sets, and logs the same sentence once. */
  const awaitApproval = ({ message, retryAfterMs }: Extract<Outcome<unknown>, { kind: 'retry' }>): Step => {
    const ms = retryAfterMs ?? PENDING_WAIT_MS
    if (message !== loggedPending)
      log.warn(
        `The host is not enrolled yet: ${message}${isOnce ? '' : ` Asking again every ${Math.round(ms / 1000)} s.`}`,
      )
    loggedPending = message
    return { kind: 'wait', ms }
  }

  const enroll = async (signal: AbortSignal): Promise<Step> => {
    const hostName = options.hostName() ?? outbox.latest()?.inventory.host.name
    if (hostName === undefined) return IDLE
    const outcome = await enrollment.enroll({ hostName, signal })
    if (outcome.kind === 'ok') return AGAIN
    if (outcome.kind === 'retry') return outcome.isPending ? awaitApproval(outcome) : retryLater(outcome)
    loggedPending = null
    const next = isOnce ? '' : ` Next try in ${Math.round(refusedWaitMs / 60_000)} min.`
    log.warn(`The host is not enrolled: ${outcome.message}${next}`)
    return { kind: 'wait', ms: refusedWaitMs }
  }

  /** The console took it: what it failed on before will never be taken in its order. */
  const passStuck = async (position: Position) => {
    const passed = stuck.skip() === 0 ? 0 : await outbox.overtaken(position)
    if (passed > 0)
      log.warn(
        `The console took report ${formatPosition(position)}, but failed each time on ${passed === 1 ? 'the one' : `the ${passed}`} before it, now set aside and counted as lost; its own log has the reason.`,
      )
    stuck.cleared()
  }

  /** A report on which the console failed waits on; after some tries a newer one is tried in between. */
  const tryNewer = (
    { position }: SpoolEntry,
    outcome: Extract<Outcome<unknown>, { kind: 'retry' }>,
  ): Step => {
    if (!outcome.isFault) {
      stuck.interrupted()
      return retryLater(outcome)
    }
    return stuck.failed(position, outbox.size() - 1) === 'again' ? AGAIN : retryLater(outcome)
  }

  const sendReport = async (entry: SpoolEntry, credential: string, signal: AbortSignal): Promise<Step> => {
    const { body, watchedMs } = entry
    const outcome = await client.report({ credential, body, watchedMs, signal })
    if (outcome.kind === 'ok') {
      await acknowledge(outcome.answer)
      await passStuck(entry.position)
      // Reports of earlier starts keep their positions: if another is ahead of them, they are history and known.
      const isOurs = entry.position.boot === positions.boot()
      if (!isOurs) await outbox.delivered(entry.position)
      if (positions.isForeign(outcome.answer.newest)) return jumpAhead(outcome.answer)
      if (isOurs) await outbox.delivered(entry.position)
      if (outbox.isEmpty()) {
        isOwed = false
        await options.onUpToDate(entry.digest)
      }
      return AGAIN
    }
    if (outcome.kind === 'refused' || outcome.kind === 'conflict') {
      log.warn(`The console refuses a report, which is set aside: ${outcome.message}`)
      await outbox.refused(entry)
      stuck.interrupted()
      return AGAIN
    }
    outbox.release()
    if (outcome.kind === 'unauthorized') return stopSending(outcome.message)
    return tryNewer(entry, outcome)
  }

  const sendHeartbeat = async (credential: string, signal: AbortSignal): Promise<Step> => {
    const digest = outbox.latest()?.digest
    if (!isOwed || digest === undefined) return IDLE
    const outcome = await client.heartbeat({
      credential,
      position: positions.next(),
      digest,
      watched: watch.current(),
      signal,
    })
    if (outcome.kind === 'ok') {
      await acknowledge(outcome.answer)
      if (positions.isForeign(outcome.answer.newest)) return jumpAhead(outcome.answer)
      isOwed = false
      return AGAIN
    }
    if (outcome.kind === 'conflict') {
      isOwed = false
      if (outbox.isLatestRefused()) return IDLE
      await outbox.forgetDigest(digest)
      return AGAIN
    }
    if (outcome.kind === 'unauthorized') return stopSending(outcome.message)
    if (outcome.kind === 'retry') return retryLater(outcome)
    log.warn(`The console refuses a heartbeat: ${outcome.message}`)
    return { kind: 'wait', ms: refusedWaitMs }
  }

  const sendResult = async (credential: string, signal: AbortSignal): Promise<Step> => {
    const result = options.executor.result()
    if (result === null) return IDLE
    const outcome = await client.commandResult({ credential, result, signal })
    if (outcome.kind === 'retry') return retryLater(outcome)
    if (outcome.kind === 'unauthorized') return stopSending(outcome.message)
    if (outcome.kind !== 'ok')
      log.warn(`The console does not accept the result of a command: ${outcome.message}`)
    await options.executor.reported(result.id)
    return AGAIN
  }

  const sendSamples = async (credential: string, signal: AbortSignal): Promise<Step> => {
    const batch = samplesEverySeconds === null ? null : await options.samples.due(samplesEverySeconds)
    if (batch === null) return IDLE
    const outcome = await client.samples({ credential, body: batch.body, signal })
    if (outcome.kind === 'retry') return retryLater(outcome)
    if (outcome.kind === 'unauthorized') return stopSending(outcome.message)
    if (outcome.kind !== 'ok')
      log.warn(`The console does not accept utilization samples, which are dropped: ${outcome.message}`)
    await options.samples.delivered(batch.name)
    return AGAIN
  }

  return {
    owe: () => {
      isOwed = true
    },
    step: async (signal) => {
      const credential = enrollment.credential()
      if (credential === null) return enroll(signal)
      const entry = await outbox.oldest(stuck.skip())
      if (entry !== null) return sendReport(entry, credential.credential, signal)
      if (!outbox.isEmpty()) {
        stuck.interrupted()
        return AGAIN
      }
      // Results come last: the console then holds the report that shows their effect.
      const step = await sendHeartbeat(credential.credential, signal)
      if (step.kind !== 'idle') return step
      const result = await sendResult(credential.credential, signal)
      // After the reports, so that the history knows who held what was measured.
      return result.kind === 'idle' ? sendSamples(credential.credential, signal) : result
    },
  }
}

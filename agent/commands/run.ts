import type { Acknowledgement } from '@/lib/schemas/agent/report'
import type { CommandSettings } from '../execute/command-settings'
import { type AgentLog, reasonOf } from './run-log'
import { createScanner } from './run-scanner'
import { openRunSession, type RunSession } from './run-session'
import { createHostWatch } from './run-watch'

/** A wait that can be cut short. */
type Waker = {
  /** Resolves after `ms`, at the next `wake`, or when the signal aborts; at once when a `wake` came since the last wait. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  wake: () => void
}

const createWaker = (): Waker => {
  let isWoken = false
  let finish: (() => void) | null = null
  return {
    wake: () => {
      isWoken = true
      finish?.()
    },
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => finish?.(), Math.min(ms, 2_147_483_647))
        finish = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', onAbort)
          finish = null
          isWoken = false
          resolve()
        }
        const onAbort = () => finish?.()
        signal.addEventListener('abort', onAbort)
        if (isWoken || signal.aborted || ms <= 0) finish()
      }),
  }
}

/** How long things may take and how long the agent waits; the defaults are for real hosts, tests are faster. */
export type RunTiming = {
  backOffBaseMs: number
  backOffCapMs: number
  /** After the console has refused token, credential or content. */
  refusedWaitMs: number
  requestTimeoutMs: number
  /** Time for a request in flight after a stop request. */
  stopGraceMs: number
}

export type RunOptions = {
  /** Top of the tree to read; `/` for this host. */
  root: string
  /** Name to enroll and report under; without it the scan finds the name. */
  hostName?: string | null | undefined
  /** Absolute path; keeps credential, counters and unsent reports. One agent at a time. */
  stateDirectory: string
  /** Address of the console, http or https, a path is allowed. */
  serverUrl: string
  /** PEM text of the certificate authorities to trust instead of the system's. */
  ca?: string | undefined
  joinToken?: string | null | undefined
  /** Read when there is no `joinToken`; without both, `join-token` in the state directory. */
  joinTokenFile?: string | null | undefined
  /** Until the console sets another interval. */
  intervalSeconds?: number | undefined
  isOnce?: boolean | undefined
  spool?: { maxBytes: number; maxReports: number } | undefined
  scan?: ScanChoices | undefined
  /** What the console may have done here; nothing without it. */
  commands?: CommandSettings | undefined
  timing?: Partial<RunTiming> | undefined
  /** 0 ≤ random() < 1, for jitter. */
  random?: (() => number) | undefined
  /** For how long the host is up, in ms. */
  uptimeMs?: (() => number) | undefined
  /** Called before each scan of an agent that stays. */
  beforeScan?: (() => void) | undefined
  signal: AbortSignal
  log: AgentLog
}

/** Where to read, when the agent's own search is not wanted. */
export type ScanChoices = {
  novaConfig?: readonly string[] | undefined
  guestXml?: readonly string[] | undefined
  isNvidiaSmiOff?: boolean | undefined
}

/** `stopped`: on request; `delivered` and `undelivered` end a run with `isOnce`. */
export type RunResult = 'stopped' | 'delivered' | 'undelivered'

const DEFAULT_INTERVAL_SECONDS = 30
const FOREVER_MS = 2_147_483_647

/**
 * Reports a host until the signal aborts, or once. Throws AgentSettingError for what only the operator can put right.
 * A console that is away, refuses or requests a wait is no error: reports wait on disk.
 */
export const runAgent = async (options: RunOptions): Promise<RunResult> => {
  const interval = createInterval(options.intervalSeconds ?? DEFAULT_INTERVAL_SECONDS)
  const session = await openRunSession({
    ...options,
    watch: createHostWatch({ intervalMs: interval.ms, uptimeMs: options.uptimeMs }),
    onAcknowledged: interval.obey,
    onCommandEnded: interval.hurry,
  })
  try {
    return options.isOnce
      ? await reportOnce(options, session)
      : await reportAlways(options, session, interval)
  } finally {
    await session.close()
  }
}

type Interval = ReturnType<typeof createInterval>

/** The interval that the console sets; a waiting scanner follows a change at once. */
const createInterval = (initialSeconds: number) => {
  let ms = initialSeconds * 1000
  let isHurried = false
  const waker = createWaker()
  return {
    ms: () => ms,
    /** Ends the present wait, or the next one. */
    hurry: () => {
      isHurried = true
      waker.wake()
    },
    obey: ({ intervalSeconds }: Acknowledgement) => {
      if (intervalSeconds * 1000 === ms) return
      ms = intervalSeconds * 1000
      waker.wake()
    },
    waitSince: async (startedMs: number, signal: AbortSignal) => {
      for (
        let rest = ms;
        rest > 0 && !isHurried && !signal.aborted;
        rest = startedMs + ms - performance.now()
      )
        await waker.wait(startedMs + ms - performance.now(), signal)
      isHurried = false
    },
  }
}

const reportOnce = async (options: RunOptions, session: RunSession): Promise<RunResult> => {
  if (!(await createScanner(options, session).scanOnce())) return 'undelivered'
  session.delivery.owe()
  while (!options.signal.aborted) {
    const step = await session.delivery.step(session.requestSignal)
    if (step.kind === 'idle' && (await session.executor.idle())) {
      // The console learns the result of its command together with the current state of the host.
      if (!(await createScanner(options, session).scanOnce())) return 'undelivered'
      session.delivery.owe()
      continue
    }
    if (step.kind === 'idle') {
      options.log.info('The console has the current state of this host.')
      return 'delivered'
    }
    if (step.kind === 'wait') return 'undelivered'
  }
  return 'undelivered'
}

const reportAlways = async (
  options: RunOptions,
  session: RunSession,
  interval: Interval,
): Promise<RunResult> => {
  const { signal, log } = options
  const news = createWaker()
  const scanner = createScanner(options, session)

  const scanLoop = async () => {
    while (!signal.aborted) {
      const startedMs = performance.now()
      options.beforeScan?.()
      if (await scanner.scanOnce()) {
        session.delivery.owe()
        news.wake()
      }
      await interval.waitSince(startedMs, signal)
    }
  }

  const sendLoop = async () => {
    const pause = createWaker()
    while (!signal.aborted) {
      const step = await session.delivery.step(session.requestSignal).catch((error: unknown) => {
        log.warn(`Sending failed on this host: ${reasonOf(error)}.`)
        return { kind: 'wait' as const, ms: session.backOff.nextMs() }
      })
      if (step.kind === 'wait') await pause.wait(step.ms, signal)
      if (step.kind === 'idle') await news.wait(FOREVER_MS, signal)
    }
  }

  await Promise.all([scanLoop(), sendLoop()])
  log.info(`Stopped. Unsent reports on disk: ${session.spool.positions().length}.`)
  return 'stopped'
}

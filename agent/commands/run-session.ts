import path from 'node:path'
import type { Acknowledgement } from '@/lib/schemas/agent/report'
import { openCounters } from '../enroll/counters'
import { type Credential, loadCredential } from '../enroll/credential-file'
import { loadDelivered, saveDelivered } from '../enroll/delivered'
import { createEnrollment } from '../enroll/enrollment'
import { createJoinTokenSource, type JoinTokenSource } from '../enroll/join-token'
import { parseServerUrl } from '../enroll/server-url'
import { AgentSettingError } from '../enroll/setting-error'
import { openStateDirectory } from '../enroll/state-directory'
import { lockState } from '../enroll/state-lock'
import { type CommandExecutor, createCommandExecutor } from '../execute/command-executor'
import { createCommandHost } from '../execute/command-host'
import { DEFAULT_COMMANDS } from '../execute/command-settings'
import { openJournal } from '../execute/journal'
import { type BackOff, createBackOff } from '../http/back-off'
import { createConsoleClient } from '../http/console-client'
import { openSampleBox, type SampleBox } from '../samples/sample-box'
import { openSpool, type Spool } from '../spool/spool'
import { AGENT_VERSION } from '../version'
import type { RunOptions, RunTiming } from './run'
import { createDelivery, type Delivery } from './run-delivery'
import { reasonOf } from './run-log'
import { createOutbox, type Outbox } from './run-outbox'
import { createPositions } from './run-positions'
import type { HostWatch } from './run-watch'

export const DEFAULT_TIMING: RunTiming = {
  backOffBaseMs: 1000,
  backOffCapMs: 5 * 60_000,
  refusedWaitMs: 15 * 60_000,
  requestTimeoutMs: 30_000,
  stopGraceMs: 5000,
}
const DEFAULT_SPOOL = { maxBytes: 64 * 1024 * 1024, maxReports: 10_000 }

/** All that one start of the agent works with, wired up. */
export type RunSession = {
  outbox: Outbox
  delivery: Delivery
  spool: Spool
  backOff: BackOff
  /** The name that reports carry: as configured, else as enrolled; null until the first scan finds it. */
  hostName: () => string | null
  executor: CommandExecutor
  watch: HostWatch
  samples: SampleBox
  /** Aborts a request when the grace period after a stop request is over. */
  requestSignal: AbortSignal
  close: () => Promise<void>
}

type SessionOptions = RunOptions & {
  watch: HostWatch
  onAcknowledged: (acknowledgement: Acknowledgement) => void
  /** A command was carried out or refused: scan the host and notify the console. */
  onCommandEnded: () => void
}

export const openRunSession = async (options: SessionOptions): Promise<RunSession> => {
  const serverUrl = parseServerUrl(options.serverUrl)
  await openStateDirectory(options.stateDirectory)
  const unlock = await lockState(options.stateDirectory)
  try {
    return await openLocked(options, serverUrl, unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

const openLocked = async (options: SessionOptions, serverUrl: URL, unlock: () => Promise<void>) => {
  const { stateDirectory, log, signal, watch } = options
  const timing = { ...DEFAULT_TIMING, ...options.timing }
  const stored = await loadCredential(stateDirectory)
  const tokens = createJoinTokenSource({
    stateDirectory,
    given: options.joinToken ?? null,
    givenFile: options.joinTokenFile ?? null,
  })
  await checkEnrollment(options, stored, tokens)

  const counters = await openCounters(stateDirectory, log)
  const spool = await openSpool({
    directory: path.join(stateDirectory, 'spool'),
    ...(options.spool ?? DEFAULT_SPOOL),
    log,
    onLost: counters.addLost,
  })
  const knownDigest = await findKnownDigest(stateDirectory, spool)
  // Unsent reports may know of more starts than damaged counters do.
  const highest = Math.max(0, ...spool.positions().map(({ boot }) => boot))
  const positions = createPositions(await counters.raiseBoot(highest))

  const client = createConsoleClient({
    serverUrl,
    ca: options.ca,
    timeoutMs: timing.requestTimeoutMs,
    agentVersion: AGENT_VERSION,
  })
  const backOff = createBackOff({
    baseMs: timing.backOffBaseMs,
    capMs: timing.backOffCapMs,
    random: options.random ?? Math.random,
  })
  const { refusedWaitMs } = timing
  const outbox = createOutbox({
    spool,
    counters,
    positions,
    agentVersion: AGENT_VERSION,
    knownDigest,
    refusedWaitMs,
    log,
  })
  const samples = await openSampleBox({ directory: path.join(stateDirectory, 'samples'), log })
  const enrollment = createEnrollment({ stateDirectory, stored, tokens, client, log })
  const hostName = () => options.hostName?.toLowerCase() ?? enrollment.credential()?.hostName ?? null
  const executor = createCommandExecutor({
    host: createCommandHost({
      root: options.root,
      settings: options.commands ?? DEFAULT_COMMANDS,
      guestXml: options.scan?.guestXml,
      novaConfig: options.scan?.novaConfig,
    }),
    journal: await openJournal(stateDirectory),
    key: () => enrollment.credential()?.commandKey ?? null,
    hostName: () => enrollment.credential()?.hostName ?? null,
    onEnded: options.onCommandEnded,
    log,
  })
  const delivery = createDelivery({
    executor,
    outbox,
    samples,
    positions,
    watch,
    enrollment,
    client,
    backOff,
    hostName,
    isOnce: options.isOnce === true,
    refusedWaitMs,
    onAcknowledged: async (acknowledgement) => {
      options.onAcknowledged(acknowledgement)
      const { commandKey, commands } = acknowledgement
      if (commandKey !== undefined) await enrollment.learnCommandKey(commandKey)
      if (commands !== undefined) executor.take(commands)
    },
    onUpToDate: (digest) =>
      saveDelivered(stateDirectory, { digest, agentVersion: AGENT_VERSION }).catch((error: unknown) =>
        log.warn(`What was delivered could not be noted: ${reasonOf(error)}.`),
      ),
    log,
  })
  const requests = abortAfterGrace(signal, timing.stopGraceMs)
  const close = async () => {
    requests.forget()
    client.close()
    await unlock()
  }
  log.info(
    `Sliceboard agent ${AGENT_VERSION} reports to ${serverUrl.href}, start ${positions.boot()} of this host.`,
  )
  return {
    outbox,
    delivery,
    spool,
    backOff,
    hostName,
    executor,
    watch,
    samples,
    requestSignal: requests.signal,
    close,
  }
}

const checkEnrollment = async (options: RunOptions, stored: Credential | null, tokens: JoinTokenSource) => {
  const { stateDirectory, hostName } = options
  if (stored === null && (await tokens.read()) === null)
    throw new AgentSettingError(
      'This host is not enrolled and no join token is given: run the install line of the console (Settings, Agents), or give --token-file.',
    )
  if (stored !== null && hostName && hostName.toLowerCase() !== stored.hostName)
    throw new AgentSettingError(
      `The credential in ${stateDirectory} is for the host ${stored.hostName}, but the name given is ${hostName}; remove credential.json there and enroll with a new join token.`,
    )
}

/** What the console holds or will hold once the spool is empty; null when unknown, and then a full report follows. */
const findKnownDigest = async (stateDirectory: string, spool: Spool): Promise<string | null> => {
  const newest = spool.positions().at(-1)
  if (newest !== undefined) return (await spool.read(newest))?.digest ?? null
  const delivered = await loadDelivered(stateDirectory)
  return delivered?.agentVersion === AGENT_VERSION ? delivered.digest : null
}

const abortAfterGrace = (signal: AbortSignal, graceMs: number) => {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(() => controller.abort(), graceMs)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    forget: () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

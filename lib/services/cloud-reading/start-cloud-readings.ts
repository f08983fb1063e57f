import 'server-only'
import { confirmableAt, planRound } from '@/lib/domain/findings/next-round'
import { createPlacement } from '@/lib/openstack/placement/create-placement'
import { createCloudReader } from '@/lib/openstack/reading/create-cloud-reader'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { createLease } from '@/lib/server/background/lease'
import { repeat } from '@/lib/server/background/repeat'
import type { Logger } from '@/lib/server/context/log'
import { staleAfterMs } from '@/lib/server/context/request-context'
import type { Runtime } from '@/lib/server/context/runtime'
import type { Database } from '@/lib/server/database/database'
import { createTraitKeeper } from '@/lib/services/managed-trait/create-trait-keeper'
import { type CloudReading, createCloudReading } from './read-cloud'

type Input = {
  database: Pick<Database, 'query'>
  log: Logger
  now: () => Date
  cloudName: string
  reading: CloudReading
  intervalMs: number
  /** From one word of an agent to the next. */
  heartbeatMs: number
}

type Turn = { confirmableInMs: readonly number[]; isUnfinished: boolean }
const NOTHING_LEFT: Turn = { confirmableInMs: [], isUnfinished: false }

/** A round may wait for slow services; another console takes over after this time without a renewal of the lease. */
const LEASE_INTERVALS = 3
const SHORTEST_LEASE_MS = 60_000
/** Before the round that continues a large first reading. */
const CONTINUE_AFTER_MS = 1000

/**
 * Reads a cloud every `intervalMs`, once in between if that would confirm findings, and immediately if a part did not fit
 * into the round. One console at a time reads; the others find the lease taken and wait. Resolves `stop` when the current
 * round has ended and the lease is released.
 */
export const startCloudReading = ({
  database,
  log,
  now,
  cloudName,
  reading,
  intervalMs,
  heartbeatMs,
}: Input): { stop: () => Promise<void> } => {
  const forMs = Math.max(intervalMs * LEASE_INTERVALS, SHORTEST_LEASE_MS)
  const lease = createLease({ database, log, name: `read cloud ${cloudName}`, forMs })

  /** In how many milliseconds from now another round could confirm what this one found, and whether a part has to be continued. */
  const turn = async (): Promise<Turn> => {
    if (!(await lease.hold())) return NOTHING_LEFT
    const { roundNumber, openFindings, unconfirmed, isUnfinished } = await reading.readRound()
    log.debug(
      { cloud: cloudName, roundNumber, openFindings, unconfirmed: unconfirmed.size },
      'Read the cloud',
    )
    const nowMs = now().getTime()
    const confirmableInMs = confirmableAt({ unconfirmed, heartbeatMs, nowMs }).map((atMs) => atMs - nowMs)
    return { confirmableInMs, isUnfinished }
  }

  /** When the next ordinary round begins; null: this one is one. */
  let ordinaryAtMs: number | null = null
  const turns = repeat(async () => {
    const startedAtMs = performance.now()
    let done = NOTHING_LEFT
    try {
      done = await turn()
    } catch (err) {
      log.error({ err, cloud: cloudName }, 'A reading round failed')
    }
    const endedAtMs = performance.now()
    const tookMs = endedAtMs - startedAtMs
    if (done.isUnfinished) {
      ordinaryAtMs = null
      return { restMs: CONTINUE_AFTER_MS }
    }
    const wasEarly = ordinaryAtMs !== null
    const ordinaryInMs = Math.max(
      (ordinaryAtMs ?? startedAtMs + intervalMs) - endedAtMs,
      wasEarly ? 0 : intervalMs / 4,
    )
    const early = wasEarly
      ? null
      : planRound({ intervalMs, tookMs, ordinaryInMs, confirmableInMs: done.confirmableInMs })
    ordinaryAtMs = early === null ? null : endedAtMs + ordinaryInMs
    return { restMs: early ?? ordinaryInMs }
  })
  return {
    stop: async () => {
      await turns.stop()
      await lease.release()
    },
  }
}

const startOne = async (runtime: Runtime, account: ServiceAccount): Promise<void> => {
  const { database, env, log, now, version, onStop } = runtime
  const cloud = await database.prisma.cloud.findUnique({
    where: { name: account.cloud },
    select: { id: true, name: true, region: true },
  })
  if (cloud === null) throw new Error(`the cloud ${account.cloud} was not made at the start`)
  const intervalMs = env.readIntervalSeconds * 1000
  const reading = createCloudReading({
    database,
    cloud,
    reader: createCloudReader({ account }),
    log,
    now,
    silentAfterSeconds: env.silentAfterSeconds,
    staleAfterMs: staleAfterMs(env),
    agentVersion: version,
    keeper: createTraitKeeper({ database, cloud, placement: createPlacement({ account }), log, now }),
  })
  const { stop } = startCloudReading({
    database,
    log,
    now,
    cloudName: account.cloud,
    reading,
    intervalMs,
    heartbeatMs: env.reportIntervalSeconds * 1000,
  })
  onStop(`stop reading ${account.cloud}`, stop)
}

/** Reads every configured cloud in the background, one region of each. */
export const startCloudReadings = async (runtime: Runtime): Promise<void> => {
  for (const account of runtime.accounts) await startOne(runtime, account)
}

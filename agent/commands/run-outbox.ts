import type { Inventory } from '@/lib/schemas/agent/inventory'
import { CONTRACT_VERSION, comparePositions, type Position } from '@/lib/schemas/agent/report'
import { REVISION_MEMBER } from '@/lib/schemas/agent/revision'
import type { Report } from '@/lib/schemas/agent/whole-report'
import type { Counters } from '../enroll/counters'
import { createQueue } from '../spool/queue'
import type { Spool } from '../spool/spool'
import { encodeReport, moveReport, ReportTooLargeError, type SpoolEntry } from '../spool/spool-entry'
import { type AgentLog, reasonOf } from './run-log'
import type { Positions } from './run-positions'

/** One finished scan. */
type Scan = {
  inventory: Inventory
  digest: string
  takenAt: Date
  /** How long before it the host had been scanned without a gap. */
  watchedMs: number
}

export type OutboxOptions = {
  spool: Spool
  counters: Counters
  positions: Positions
  agentVersion: string
  /** Digest that the console is believed to hold; null when unknown. */
  knownDigest: string | null
  /** How long a refused content is not sent again. */
  refusedWaitMs: number
  log: AgentLog
}

/** The way of reports from the scanner to the sender. Every report is on disk before it is sent, or the disk is broken. */
export type Outbox = {
  /** Queues a report when the scan differs from the last one that was queued or is known to the console. */
  record: (scan: Scan) => Promise<void>
  latest: () => Scan | null
  /** The oldest unsent report after `skip` others. It stays until it is settled. */
  oldest: (skip?: number) => Promise<SpoolEntry | null>
  /** How many reports wait. */
  size: () => number
  /** It was not delivered and waits on. */
  release: () => void
  delivered: (position: Position) => Promise<void>
  /** The console refused it permanently; the same content is not sent again until it changes or `forgetDigest` is called. */
  refused: (entry: SpoolEntry) => Promise<void>
  /** The console has taken the report at this position and failed on all before it: they are counted and set aside. */
  overtaken: (position: Position) => Promise<number>
  isEmpty: () => boolean
  /** True when the console has refused the content of the last scan, for a while. */
  isLatestRefused: () => boolean
  /** The console lacks this digest: queue the last scan as a report, if it is still the one. */
  forgetDigest: (digest: string) => Promise<void>
  /** Another's positions are ahead of ours: takes a boot number beyond them and moves this start's unsent reports there. */
  jumpAhead: (beyond: Position) => Promise<void>
}

/** The calls may overlap; they are carried out one after the other. */
export const createOutbox = (options: OutboxOptions): Outbox => {
  const { spool, counters, positions, agentVersion, log } = options
  let latest: Scan | null = null
  let queuedDigest = options.knownDigest
  let refused: { digest: string; until: number } | null = null
  /** The newest report when the disk did not take it. */
  let unstored: SpoolEntry | null = null
  /** A scan was lost before it was reported: the next report claims no watched time before itself. */
  let isScanLost = false

  const { add: serial } = createQueue()

  const size = () => spool.positions().length + (unstored === null ? 0 : 1)

  const store = async (entry: SpoolEntry) => {
    try {
      if (unstored !== null) await spool.add(unstored)
      unstored = null
      await spool.add(entry)
    } catch (error) {
      log.warn(`An unsent report could not be written to disk and is kept in memory: ${reasonOf(error)}.`)
      if (unstored !== null) await counters.addLost(1)
      unstored = unstored === null ? entry : { ...entry, watchedMs: 0 }
    }
  }

  const refuse = (digest: string) => {
    refused = { digest, until: performance.now() + options.refusedWaitMs }
  }

  const queue = async ({ inventory, digest, takenAt, watchedMs }: Scan) => {
    try {
      const report: Report = {
        contractVersion: CONTRACT_VERSION,
        ...REVISION_MEMBER,
        agentVersion,
        position: positions.next(),
        takenAt: takenAt.toISOString(),
        digest,
        droppedReports: counters.lostReports(),
        inventory,
      }
      const entry = await encodeReport(report, isScanLost ? 0 : watchedMs)
      isScanLost = false
      await store(entry)
    } catch (error) {
      if (!(error instanceof ReportTooLargeError)) throw error
      refuse(digest)
      isScanLost = true
      log.warn(`This scan is not reported: ${error.message}.`)
    }
    queuedDigest = digest
  }

  const move = async (entry: SpoolEntry) => {
    const moved = await moveReport(entry, positions.next())
    if (unstored === entry) {
      unstored = null
      return store(moved)
    }
    await spool.add(moved)
    await spool.remove(entry.position)
  }

  return {
    record: (scan) =>
      serial(async () => {
        if (scan.digest !== queuedDigest) await queue(scan)
        latest = scan
      }),
    latest: () => latest,
    oldest: (skip = 0) => serial(async () => (await spool.oldest(skip)) ?? unstored),
    size,
    release: spool.release,
    delivered: (position) =>
      serial(async () => {
        if (unstored !== null && comparePositions(unstored.position, position) === 0) unstored = null
        else await spool.delivered(position)
      }),
    refused: ({ position, digest }) =>
      serial(async () => {
        if (digest === latest?.digest) refuse(digest)
        if (unstored !== null && comparePositions(unstored.position, position) === 0) unstored = null
        else await spool.setAside(position)
      }),
    overtaken: (position) =>
      serial(async () => {
        const older = spool.positions().filter((other) => comparePositions(other, position) < 0)
        if (older.length > 0) await counters.addLost(older.length)
        for (const passed of older) await spool.setAside(passed)
        return older.length
      }),
    isEmpty: () => size() === 0,
    isLatestRefused: () =>
      refused !== null && latest?.digest === refused.digest && performance.now() < refused.until,
    forgetDigest: (digest) =>
      serial(async () => {
        refused = null
        if (latest?.digest === digest) await queue(latest)
      }),
    jumpAhead: (beyond) =>
      serial(async () => {
        const lostBoot = positions.boot()
        positions.restart(await counters.raiseBoot(beyond.boot))
        for (const position of spool.positions().filter(({ boot }) => boot === lostBoot)) {
          const entry = await spool.read(position)
          if (entry !== null) await move(entry)
        }
        if (unstored !== null) await move(unstored)
      }),
  }
}

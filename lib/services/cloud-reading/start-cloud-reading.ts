import 'server-only'
import { randomUUID } from 'node:crypto'
import { holdLease, releaseLease } from '@/lib/server/background/lease'
import { repeat } from '@/lib/server/background/repeat'
import type { Database } from '@/lib/server/database/database'
import type { Logger } from '@/lib/server/log'
import type { CloudReading } from './read-cloud'

type Input = {
  database: Database
  log: Logger
  cloudName: string
  reading: CloudReading
  intervalMs: number
}

/** A round may wait for slow services; another console takes over when this one has not spoken for so long. */
const LEASE_INTERVALS = 3
const SHORTEST_LEASE_MS = 60_000

/**
 * Reads a cloud every `intervalMs`, on one console at a time: the others find the lease taken and wait. Resolves `stop` when
 * the round in hand has ended and the lease is given back.
 */
export const startCloudReading = ({
  database,
  log,
  cloudName,
  reading,
  intervalMs,
}: Input): { stop: () => Promise<void> } => {
  const lease = { name: `read cloud ${cloudName}`, holder: randomUUID() }
  const forMs = Math.max(intervalMs * LEASE_INTERVALS, SHORTEST_LEASE_MS)

  const turn = async (): Promise<void> => {
    if (!(await holdLease(database.query, { ...lease, forMs }))) return
    const { roundNumber, openFindings } = await reading.readRound()
    log.debug({ cloud: cloudName, roundNumber, openFindings }, 'Read the cloud')
  }

  const turns = repeat(async () => {
    const startedAt = performance.now()
    try {
      await turn()
    } catch (err) {
      log.error({ err, cloud: cloudName }, 'A reading round broke off')
    }
    const tookMs = performance.now() - startedAt
    return { restMs: Math.max(intervalMs - tookMs, intervalMs / 4) }
  })
  return {
    stop: async () => {
      await turns.stop()
      await releaseLease(database.query, lease)
    },
  }
}

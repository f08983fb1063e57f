import type { Server } from '@/lib/domain/cloud/types'
import { gpuAmounts, readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import type { RefusalReason } from '@/lib/schemas/states'

/** A server with a GPU that was requested and never reached a host. */
export type RefusedServer = {
  uuid: string
  projectId: string
  flavorName: string | null
  reason: RefusalReason
  /** Nova's own words, shortened. */
  message: string
  /** Time of the request: Nova's clock, ISO 8601 UTC. */
  at: string
}

/** nova/exception.py: NoValidHost, MaxRetriesExceeded, OverQuota with its kinds, and oslo.limit's ProjectOverLimit. */
const REASONS: readonly (readonly [pattern: RegExp, reason: RefusalReason])[] = [
  [/no valid host|not enough hosts available/i, 'no-valid-host'],
  [/over limit|quota exceeded|quota/i, 'over-limit'],
  [/maximum number of retries|exhausted all hosts/i, 'build-failed'],
]

const MAX_FAULT_CHARACTERS = 300

/**
 * The refusal of a listed server; null: it was not refused, or requests no GPU. Nova keeps the fault of a server after
 * its deletion. A request that the API refuses immediately (403 over a limit) never becomes a server and is not visible
 * here.
 */
export const refusedServer = (server: Server): RefusedServer | null => {
  const { uuid, projectId, flavorName, host, status, fault, createdAt, extraSpecs } = server
  if (host !== null || fault === null || createdAt === null) return null
  if (status !== 'ERROR' && status !== 'DELETED') return null
  const reason = REASONS.find(([pattern]) => pattern.test(fault))?.[1]
  const numbers = {
    vcpus: server.vcpus ?? 0,
    memoryMib: server.memoryMib ?? 0,
    diskGib: server.diskGib ?? 0,
    ephemeralGib: 0,
    swapMib: 0,
  }
  // Stored before hosts and providers are joined, so each custom class may be one of GPUs.
  const request = readFlavorRequest({ ...numbers, extraSpecs })
  if (reason === undefined || (request.aliases.length === 0 && gpuAmounts(request).size === 0)) return null
  return { uuid, projectId, flavorName, reason, message: fault.slice(0, MAX_FAULT_CHARACTERS), at: createdAt }
}

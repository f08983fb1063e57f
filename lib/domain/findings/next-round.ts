import type { Unconfirmed, Waiting } from './confirm'
import type { EvidenceSource } from './finding'

/** What a heartbeat takes on its way: the agent looks first, and the console takes hosts in groups. */
const DELIVERY_MS = 2000
/** Of two looks right after each other both would see the same moment of something that moves. */
const SETTLING_MS = 10_000
/** A round that takes more of its interval leaves no time for another one. */
const MAX_SHARE_OF_INTERVAL = 1 / 4

/** Sources whose agents report automatically; all others are queried in every round. */
const ON_HOSTS: ReadonlySet<EvidenceSource> = new Set(['hardware', 'nova.conf', 'libvirt', 'agent'])

const atOf = ({ since, evidence }: Waiting, heartbeatMs: number): number => {
  const sinceMs = Date.parse(since)
  const readMs = evidence.flatMap(({ source, at }) =>
    at !== null && ON_HOSTS.has(source) ? [Date.parse(at)] : [],
  )
  const awaitedMs = readMs.filter((ms) => ms <= sinceMs).map((ms) => ms + heartbeatMs + DELIVERY_MS)
  return Math.max(sinceMs + SETTLING_MS, ...awaitedMs)
}

/**
 * When a round could confirm each waiting finding, by the console's clock (ms): by then its agents have reported again if
 * they keep to their `heartbeatMs`. A finding that is still unconfirmed after that time is left out, because the next
 * report of its host cannot be predicted.
 */
export const confirmableAt = ({
  unconfirmed,
  heartbeatMs,
  nowMs,
}: {
  unconfirmed: Unconfirmed
  heartbeatMs: number
  nowMs: number
}): number[] =>
  [...unconfirmed.values()].map((waiting) => atOf(waiting, heartbeatMs)).filter((atMs) => atMs > nowMs)

/**
 * The delay in milliseconds after which an extra round is worth its cost, following an ordinary one that took `tookMs`;
 * null: never. The extra round confirms as much as possible and ends before the next ordinary one.
 */
export const planRound = ({
  intervalMs,
  tookMs,
  ordinaryInMs,
  confirmableInMs,
}: {
  intervalMs: number
  tookMs: number
  ordinaryInMs: number
  confirmableInMs: readonly number[]
}): number | null => {
  if (tookMs > intervalMs * MAX_SHARE_OF_INTERVAL) return null
  const inTime = confirmableInMs.filter((ms) => ms + tookMs <= ordinaryInMs)
  return inTime.length === 0 ? null : Math.max(...inTime)
}

import type { Freshness } from '@/lib/schemas/api/fleet'

export type DataAge =
  | { state: 'loading' }
  | { state: 'none' }
  | { state: 'fresh' | 'old' | 'unreachable'; seenAt: Date; ageSeconds: number }

/**
 * How old the newest word is by now: of a page's own host when that is silent, else of any host. The server's clock measures up to its answer, the browser's from
 * there on, so a browser with a wrong clock still shows the right age. `unreachable`: the console itself stopped answering.
 */
export const dataAge = ({
  host,
  freshness,
  answeredAtMs,
  nowMs,
  isFailing,
}: {
  /** The host that the page is about; null: the whole fleet. */
  host: string | null
  freshness: Freshness | undefined
  answeredAtMs: number
  nowMs: number
  isFailing: boolean
}): DataAge => {
  if (freshness === undefined) return { state: 'loading' }
  const silent = freshness.silentHosts.find((entry) => entry.host === host)
  const seen = silent === undefined ? freshness.newestSeenAt : silent.seenAt
  if (seen === null) return { state: 'none' }
  const seenAt = new Date(seen)
  const atAnswerMs = new Date(freshness.now).getTime() - seenAt.getTime()
  const ageSeconds = Math.max(0, (atAnswerMs + Math.max(0, nowMs - answeredAtMs)) / 1000)
  if (isFailing) return { state: 'unreachable', seenAt, ageSeconds }
  return { state: ageSeconds > freshness.silentAfterSeconds ? 'old' : 'fresh', seenAt, ageSeconds }
}

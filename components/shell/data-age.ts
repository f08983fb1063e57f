import type { Freshness } from '@/lib/schemas/api/fleet'

export type DataAge =
  | { state: 'loading' }
  | { state: 'none' }
  | { state: 'fresh' | 'old' | 'unreachable'; seenAt: Date; ageSeconds: number }

/**
 * How old the newest word of any host is by now. The server's clock measures up to its answer, the browser's from
 * there on, so a browser with a wrong clock still shows the right age. `unreachable`: the console itself stopped answering.
 */
export const dataAge = ({
  freshness,
  answeredAtMs,
  nowMs,
  isFailing,
}: {
  freshness: Freshness | undefined
  answeredAtMs: number
  nowMs: number
  isFailing: boolean
}): DataAge => {
  if (freshness === undefined) return { state: 'loading' }
  if (freshness.newestSeenAt === null) return { state: 'none' }
  const seenAt = new Date(freshness.newestSeenAt)
  const atAnswerMs = new Date(freshness.now).getTime() - seenAt.getTime()
  const ageSeconds = Math.max(0, (atAnswerMs + Math.max(0, nowMs - answeredAtMs)) / 1000)
  if (isFailing) return { state: 'unreachable', seenAt, ageSeconds }
  return { state: ageSeconds > freshness.silentAfterSeconds ? 'old' : 'fresh', seenAt, ageSeconds }
}

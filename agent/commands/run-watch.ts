import os from 'node:os'
import type { Watched } from '@/lib/schemas/agent/report'

/** Intervals that may lie between two scans, and a time that always may: a scan can be slow, and a command can hold it up. */
const MAX_INTERVALS = 3
const ALWAYS_ALLOWED_MS = 60_000

/** Since when this start has scanned the host without a gap. */
export type HostWatch = {
  /** A scan has ended. Returns how long it has scanned without a gap, in ms. */
  scanned: () => number
  /** What is true now; null before the first scan. */
  current: () => Watched | null
}

/** Counts while the host is suspended, and does not jump when its clock is set. */
const hostUptimeMs = (): number => os.uptime() * 1000

export const createHostWatch = ({
  intervalMs,
  uptimeMs = hostUptimeMs,
}: {
  /** The pace of scans at this moment. */
  intervalMs: () => number
  uptimeMs?: (() => number) | undefined
}): HostWatch => {
  let watch: { since: number; last: number; paceMs: number } | null = null
  return {
    scanned: () => {
      const now = uptimeMs()
      const paceMs = intervalMs()
      const maxMs = Math.max(ALWAYS_ALLOWED_MS, MAX_INTERVALS * Math.max(paceMs, watch?.paceMs ?? 0))
      const isGap = watch === null || now - watch.last > maxMs
      const since = isGap ? now : (watch?.since ?? now)
      watch = { since, last: now, paceMs }
      return Math.round(now - since)
    },
    current: () =>
      watch === null
        ? null
        : { forMs: Math.round(watch.last - watch.since), agoMs: Math.round(uptimeMs() - watch.last) },
  }
}

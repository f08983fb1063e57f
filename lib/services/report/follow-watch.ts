import type { Position } from '@/lib/schemas/agent/report'

/** Where agents do not say that they scanned without a pause, a longer silence is a gap. */
const MAX_SILENT_MS = 5 * 60_000
/** The agent's pauses and our times of its messages may differ by this much; a pause that it reports is longer. */
const SLACK_MS = 30_000

/** What is known of the stretch in which a host is being watched, in ms. `since` is null when there is none. */
export type Watch = {
  since: number | null
  /** The last time in the host's history, of any interval; null before its first report. */
  at: number | null
}

/** A report or heartbeat as evidence that the host was being watched. */
export type SignOfLife = {
  position: Position
  /** When the scan behind it ended, by our clock, in ms. */
  at: number
  /** How long before that the agent had scanned without a gap; null: it does not say. */
  watchedMs: number | null
}

/** A stretch that has ended, with the host's position as it had. */
export type EndedInterval = { position: Position; since: number; until: number }

export type FollowedWatch = {
  watch: Watch
  ended: EndedInterval[]
  /** For each sign when it counts in the host's history: at its own time, but never before what is there already. */
  moments: number[]
}

const continues = (watch: Watch, last: Position, { position, at, watchedMs }: SignOfLife): boolean => {
  if (watch.since === null || watch.at === null || position.boot !== last.boot) return false
  return watchedMs === null ? at - watch.at <= MAX_SILENT_MS : at - watchedMs <= watch.at + SLACK_MS
}

/**
 * Follows a host's watched stretches over the signs of life that a group applies, in the order of their positions. Only the
 * signs themselves count, not when or how they came. A new start of the agent begins a new stretch.
 */
export const followWatch = (
  { watch: before, position }: { watch: Watch; position: Position },
  signs: readonly SignOfLife[],
): FollowedWatch => {
  let watch = before
  let last = position
  const ended: EndedInterval[] = []
  const moments: number[] = []
  for (const sign of signs) {
    const at = Math.max(sign.at, watch.at ?? sign.at)
    if (continues(watch, last, sign)) watch = { since: watch.since, at }
    else {
      if (watch.since !== null && watch.at !== null)
        ended.push({ position: last, since: watch.since, until: watch.at })
      watch = { since: Math.max(at - (sign.watchedMs ?? 0), watch.at ?? Number.NEGATIVE_INFINITY), at }
    }
    moments.push(at)
    last = sign.position
  }
  return { watch, ended, moments }
}

/** When each answer was first seen; an answer that comes back unchanged stays the same object. */
const firstSeenAt = new WeakMap<object, number>()

/** Unchanged data is requested at the slow interval after this time. */
const MOVING_FOR_MS = 60_000

export type PollPace = { fastMs: number; slowMs: number }

/**
 * Interval until the next request: fast while the answer changed within the last minute, slow when it does not change.
 * Slow after an error and before the first answer.
 */
export const pollIntervalMs = ({
  data,
  now,
  fastMs,
  slowMs,
}: PollPace & { data: object | undefined; now: number }): number => {
  if (data === undefined) return slowMs
  const since = firstSeenAt.get(data)
  if (since === undefined) {
    firstSeenAt.set(data, now)
    return fastMs
  }
  return now - since < MOVING_FOR_MS ? fastMs : slowMs
}

/** `refetchInterval` of a range of the history: the roll-ups advance every minute; a past range does not change. */
export const pollRange = ({ until }: { until: string | null }): number | false =>
  until === null ? 60_000 : false

type PolledQuery<Data> = { state: { data: Data | undefined; error: Error | null } }

/** `refetchInterval` of a query. React Query stops the clock itself while the tab is hidden. */
export const pollWhileMoving =
  <Data extends object>(pace: PollPace | ((data: Data) => PollPace)) =>
  ({ state }: PolledQuery<Data>): number => {
    const { data } = state
    const { fastMs, slowMs } =
      typeof pace !== 'function' ? pace : data === undefined ? { fastMs: 10_000, slowMs: 10_000 } : pace(data)
    if (state.error !== null) return slowMs
    return pollIntervalMs({ data, now: Date.now(), fastMs, slowMs })
  }

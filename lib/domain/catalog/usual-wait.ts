import type { Slot } from '@/lib/domain/history/figures'

/** How long it usually takes until one is free again, as a tenant may know it: within some hours, a day, three days, a week. */
const USUAL_WAITS = ['hours', 'day', 'days', 'week'] as const
export type UsualWait = (typeof USUAL_WAITS)[number]

const BOUND_HOURS: Readonly<Record<UsualWait, number>> = { hours: 4, day: 24, days: 72, week: 168 }

/** Fewer times say nothing of what is usual, */
const MIN_TIMES = 5
/** and the estimate covers this share of them. */
const USUAL_SHARE = 3 / 4

/** Whether any was free within an hour; null: it is not known. */
export type HourWord = 'none' | 'some' | null

/** For the pGPUs of a type together. Hosts without data may have had free ones. */
export const hourWord = (slot: Slot | null): HourWord => {
  if (slot === null) return null
  const { capacity, used, orphan, unseen, gapMs } = slot
  if (capacity.max === null || used.min === null || orphan.min === null) return null
  if (capacity.max > used.min + orphan.min) return 'some'
  return gapMs > 0 || (unseen.max ?? 0) > 0 ? null : 'none'
}

/** For a request that any of several types can serve. */
export const joinHours = (types: readonly (readonly HourWord[])[]): HourWord[] =>
  (types[0] ?? []).map((_, hour) => {
    const words = types.map((hours) => hours[hour] ?? null)
    if (words.includes('some')) return 'some'
    return words.includes(null) ? null : 'none'
  })

/**
 * Lengths in hours of the times without a free one whose begin and end are known; `running`: the length of the current
 * one, else 0.
 */
const timesWithout = (hours: readonly HourWord[]): { over: number[]; running: number } => {
  const over: number[] = []
  let running = 0
  let hasSeenBegin = false
  for (const word of hours) {
    if (word === 'none') {
      running += 1
      continue
    }
    if (word === 'some' && running > 0 && hasSeenBegin) over.push(running)
    running = 0
    hasSeenBegin = word === 'some'
  }
  return { over, running }
}

/**
 * How long it usually takes until one is free, from the hours up to now. Null: there were too few such times, they lasted
 * too long for an estimate, none is running, or this one is already longer than usual.
 */
export const usualWait = (hours: readonly HourWord[]): UsualWait | null => {
  const { over, running } = timesWithout(hours)
  if (running === 0 || over.length < MIN_TIMES) return null
  const usual =
    over.toSorted((a, b) => a - b)[Math.ceil(over.length * USUAL_SHARE) - 1] ?? Number.POSITIVE_INFINITY
  return USUAL_WAITS.find((wait) => usual <= BOUND_HOURS[wait] && running <= BOUND_HOURS[wait]) ?? null
}

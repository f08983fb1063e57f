import { averageOf, emptySlot, type Slot } from '../history/figures'
import { DAY_MS } from '../history/series'
import type { DailySeries } from './forecast-series'

/** A day is known if half of it has data, for nearly all of the group. */
const MIN_KNOWN_MS = DAY_MS / 2
const MAX_UNSEEN_SHARE = 0.1

/** Peaks of days on which hosts were silent would be too low, so such days are not known. */
const isKnownDay = ({ knownMs, capacity, unseen }: Slot): boolean => {
  const missing = averageOf(unseen) ?? 0
  const seen = averageOf(capacity) ?? 0
  return knownMs >= MIN_KNOWN_MS && (missing === 0 || missing <= MAX_UNSEEN_SHARE * (seen + missing))
}

/**
 * A group's day roll-ups as the input of forecasts, from its first day with vGPUs on. `fleet`: the roll-ups of all, for
 * the same days; on days with data of the fleet a group without members had 0.
 */
export const dailySeries = ({
  slots,
  fleet,
  firstDay,
}: {
  slots: readonly (Slot | null)[]
  fleet: readonly (Slot | null)[]
  firstDay: number
}): DailySeries => {
  const days = slots.map((slot, index) => {
    const known = slot ?? emptySlot({ knownMs: fleet[index]?.knownMs ?? 0, isHeld: false })
    return isKnownDay(known)
      ? { peak: known.used.max, capacity: known.capacity.max }
      : { peak: null, capacity: null }
  })
  const begin = days.findIndex(({ capacity }) => (capacity ?? 0) > 0)
  const known = begin < 0 ? [] : days.slice(begin)
  return {
    firstDay: firstDay + Math.max(begin, 0),
    peaks: known.map(({ peak }) => peak),
    capacity: known.map(({ capacity }) => capacity),
  }
}

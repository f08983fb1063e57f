import type { ForecastDay } from './forecast-series'

/**
 * When a group is full. Days are counted from 1 January 1970. `dated`: the likely day, and the earliest and latest of the range;
 * null: not within the forecast. `after`: not within the forecast, not even at the upper end of the range.
 */
export type Exhaustion =
  | { kind: 'full'; since: number }
  | { kind: 'dated'; earliest: number; likely: number | null; latest: number | null }
  | { kind: 'after'; day: number }
  | { kind: 'not-growing' }

const WEEK = 7
/** Growth that half a year does not make a vGPU of is none. */
const MIN_PER_WEEK = 1 / 26

/**
 * The first day of the present time in which it was full at least once a week; null: in the last week it never was. `capacity`
 * of a day that is not known is what it was before.
 */
export const fullSince = ({
  peaks,
  capacity,
  firstDay,
}: {
  peaks: readonly (number | null)[]
  capacity: readonly (number | null)[]
  firstDay: number
}): number | null => {
  let [since, quietDays] = [null as number | null, 0]
  for (let index = peaks.length - 1; index >= 0 && quietDays < WEEK; index -= 1) {
    const [peak, max] = [peaks[index], capacity[index]]
    // Days of which nothing is known neither end it nor prolong it.
    if (peak === null || peak === undefined || max === null || max === undefined) continue
    const isFull = peak > 0 && peak >= max
    quietDays = isFull ? 0 : quietDays + 1
    if (isFull) since = firstDay + index
  }
  return since
}

/** When the forecast reaches the capacity: by its upper end first, by its lower end last. */
export const exhaustionOf = (
  days: readonly ForecastDay[],
  { capacity, growthPerWeek }: { capacity: number; growthPerWeek: number },
): Exhaustion => {
  const firstOf = (name: 'low' | 'likely' | 'high'): number | null =>
    days.find((each) => each[name] >= capacity)?.day ?? null
  const earliest = firstOf('high')
  if (growthPerWeek < MIN_PER_WEEK) return { kind: 'not-growing' }
  if (earliest === null) return { kind: 'after', day: days.at(-1)?.day ?? 0 }
  return { kind: 'dated', earliest, likely: firstOf('likely'), latest: firstOf('low') }
}

import type { Exhaustion } from './exhaustion'
import { exhaustionWith } from './exhaustion-with'
import type { DailySeries, Forecast } from './forecast-series'

/** A capacity in vGPUs from a day on. Days are counted from 1 January 1970. */
export type DatedCapacity = { from: number; capacity: number }

/**
 * When a group is full for as long as the capacities are known, and the first time before that in which it is full until more
 * capacity comes: `from` its first day, `until` the day of the relief.
 */
export type ExhaustionOverTime = {
  exhaustion: Exhaustion | null
  shortage: { from: number; until: number } | null
}

/** The time with one capacity, from `start` (at the earliest today) to `end`. */
type Piece = { start: number; end: number; exhaustion: Exhaustion | null }

/** The day in a piece from which it is full; null: it is not, or that is unknown. */
const fullFrom = ({ start, end, exhaustion }: Piece): number | null => {
  if (exhaustion?.kind === 'full') return start
  if (exhaustion?.kind !== 'dated' || exhaustion.likely === null) return null
  const day = Math.max(start, exhaustion.likely)
  return day < end ? day : null
}

/** Not before the piece: what is full with its capacity is full from its start. */
const withinPiece = ({ start, exhaustion }: Piece, today: number): Exhaustion | null => {
  const notBefore = (day: number | null): number | null => (day === null ? null : Math.max(start, day))
  if (exhaustion?.kind === 'full' && start > today)
    return { kind: 'dated', earliest: start, likely: start, latest: start }
  if (exhaustion?.kind !== 'dated') return exhaustion
  const { earliest, likely, latest } = exhaustion
  return {
    kind: 'dated',
    earliest: Math.max(start, earliest),
    likely: notBefore(likely),
    latest: notBefore(latest),
  }
}

/** Whether a piece is full from its start and the one before was full at its end. */
const continues = (pieces: readonly Piece[], index: number): boolean => {
  const [before, piece] = [pieces[index - 1], pieces[index]]
  return (
    before !== undefined &&
    piece !== undefined &&
    fullFrom(before) !== null &&
    fullFrom(piece) === piece.start
  )
}

/** When a group is full while its capacity changes on some days and the demand stays. `capacities`: in the order of their days. */
export const exhaustionOverTime = (
  series: DailySeries,
  forecast: Forecast,
  capacities: readonly DatedCapacity[],
): ExhaustionOverTime => {
  const today = series.firstDay + series.peaks.length
  const pieces = capacities
    .map(({ from, capacity }, index): Piece => {
      const end = capacities[index + 1]?.from ?? Number.POSITIVE_INFINITY
      const exhaustion = end <= today ? null : exhaustionWith(series, forecast, capacity)
      return { start: Math.max(from, today), end, exhaustion }
    })
    .filter(({ start, end }) => start < end)
  let last = pieces.length - 1
  while (continues(pieces, last)) last -= 1
  const piece = pieces[last]
  const first = pieces.findIndex((each, index) => index < last && fullFrom(each) !== null)
  let relief = first + 1
  while (relief < last && continues(pieces, relief)) relief += 1
  const [short, relieved] = [pieces[first], pieces[relief]]
  const from = short === undefined ? null : fullFrom(short)
  return {
    exhaustion: piece === undefined ? null : withinPiece(piece, today),
    shortage: from === null || relieved === undefined ? null : { from, until: relieved.start },
  }
}

/** A mark with its number in the table beneath the chart. */
export type ChartMark = { at: number; number: number; label: string; isIncident: boolean }

/** A mark's words above the plot: `x` in pixels from its left edge, where the words begin, or end with `isLeft`. */
export type PlacedLabel = { x: number; row: number; isLeft: boolean; text: string }

/** Of the chart's letters, on average; wider than most. */
const LETTER = 6
const GAP = 10
const LONGEST = 44

/** A line from a mark to words in a higher row takes so much of the rows below. */
const LINE = 3

const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text)

type Taken = [number, number][]

/**
 * Words for the marks of a plot of `width` pixels, in `rows` rows above it: number and label where there is room, else the number,
 * else nothing. Incidents come after what people did.
 */
export const placeMarkLabels = (
  marks: readonly ChartMark[],
  { from, until, width, rows }: { from: number; until: number; width: number; rows: number },
): Map<ChartMark, PlacedLabel> => {
  const taken: Taken[] = Array.from({ length: rows }, () => [])
  const placed = new Map<ChartMark, PlacedLabel>()
  const xOf = ({ at }: ChartMark): number => ((at - from) / Math.max(until - from, 1)) * width
  const tryPlace = (mark: ChartMark, text: string): boolean => {
    const x = xOf(mark)
    const wide = text.length * LETTER
    // From the top: words there leave the rows below to the marks that follow.
    for (const isLeft of [false, true])
      for (const [row, spans] of [...taken.entries()].toReversed()) {
        const [begin, end] = isLeft ? [x - wide, x] : [x, x + wide]
        if (begin < 0 || end > width) continue
        if (spans.some(([a, b]) => begin < b + (a === b ? LINE : GAP) && end > a - (a === b ? LINE : GAP)))
          continue
        const below = taken.slice(0, row)
        if (below.some((lower) => lower.some(([a, b]) => x > a - LINE && x < b + LINE))) continue
        spans.push([begin, end])
        for (const lower of below) lower.push([x, x])
        placed.set(mark, { x, row, isLeft, text })
        return true
      }
    return false
  }
  const ordered = marks.toSorted((a, b) => Number(a.isIncident) - Number(b.isIncident) || a.at - b.at)
  // Numbers first would leave no room for words; words of all would leave none for numbers.
  for (const mark of ordered)
    if (!tryPlace(mark, shortened(`${mark.number}. ${mark.label}`))) tryPlace(mark, String(mark.number))
  return placed
}

/** A mark with its number in the table beneath the chart. */
export type ChartMark = { at: number; number: number; label: string; isIncident: boolean }

/** A mark's words above the plot: `x` in pixels from its left edge, where the words begin, or end with `isLeft`. */
export type PlacedLabel = { x: number; row: number; isLeft: boolean; text: string }

/** Of the chart's letters, on average; wider than most. */
const LETTER = 6
const GAP = 10
const LONGEST = 44

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
    for (const isLeft of [false, true])
      for (const [row, spans] of taken.entries()) {
        const [begin, end] = isLeft ? [x - wide, x] : [x, x + wide]
        if (begin < 0 || end > width) continue
        if (spans.some(([a, b]) => begin < b + GAP && end > a - GAP)) continue
        spans.push([begin, end])
        placed.set(mark, { x, row, isLeft, text })
        return true
      }
    return false
  }
  const ordered = marks.toSorted((a, b) => Number(a.isIncident) - Number(b.isIncident) || a.at - b.at)
  // Numbers first would leave no room for words; words of all would leave none for numbers.
  for (const mark of ordered)
    if (!tryPlace(mark, shortened(`${mark.number} ${mark.label}`))) tryPlace(mark, String(mark.number))
  return placed
}

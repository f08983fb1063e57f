/** A mark with its number in the table beneath the chart. */
export type ChartMark = { at: number; number: number; label: string; isIncident: boolean }

/**
 * The label above the plot for a mark, or for several marks that are too close for separate numbers: `x` in pixels from
 * its left edge, where the text begins, or ends with `isLeft`.
 */
export type PlacedLabel = {
  marks: readonly ChartMark[]
  x: number
  row: number
  isLeft: boolean
  text: string
}

/** Of the chart's letters, on average; wider than most. */
const LETTER = 6
const GAP = 10
const LONGEST = 44

/** A line from a mark to words in a higher row takes so much of the rows below. */
const LINE = 3

const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text)

/** `14–17, 19` */
const formatNumbers = (marks: readonly ChartMark[]): string => {
  const runs: [number, number][] = []
  for (const number of marks.map((mark) => mark.number).toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else runs.push([number, number])
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}–${last}`)).join(', ')
}

type Plot = { width: number; xOf: (mark: ChartMark) => number }
type Span = { begin: number; end: number }

const spanOf = ({ x, isLeft, text }: Pick<PlacedLabel, 'x' | 'isLeft' | 'text'>): Span => {
  const wide = text.length * LETTER
  return isLeft ? { begin: x - wide, end: x } : { begin: x, end: x + wide }
}

const isApart = (one: Span, other: Span): boolean =>
  one.begin >= other.end + GAP || one.end <= other.begin - GAP
const isOff = (x: number, { begin, end }: Span): boolean => x <= begin - LINE || x >= end + LINE

/** Number and label of those marks that have room, in rows above the lowest; incidents come after what people did. */
const layOutTexts = (marks: readonly ChartMark[], rows: number, { width, xOf }: Plot): PlacedLabel[] => {
  const placed: PlacedLabel[] = []
  const fits = (label: PlacedLabel): boolean => {
    const span = spanOf(label)
    if (span.begin < 0 || span.end > width) return false
    return placed.every((other) => {
      if (other.row === label.row) return isApart(span, spanOf(other))
      return other.row < label.row ? isOff(label.x, spanOf(other)) : isOff(other.x, span)
    })
  }
  // From the top: words there leave the rows below to the marks that follow.
  const positions = [false, true].flatMap((isLeft) =>
    Array.from({ length: rows - 1 }, (_, index) => ({ isLeft, row: rows - 1 - index })),
  )
  for (const mark of marks.toSorted((a, b) => Number(a.isIncident) - Number(b.isIncident) || a.at - b.at)) {
    const text = shortened(`${mark.number}. ${mark.label}`)
    const label = positions.map((position) => ({ marks: [mark], x: xOf(mark), text, ...position })).find(fits)
    if (label !== undefined) placed.push(label)
  }
  return placed
}

/** The numbers of marks in the lowest row, those that stand too close to each other in one label. */
const layOutNumbers = (marks: readonly ChartMark[], { width, xOf }: Plot): PlacedLabel[] => {
  const labelOf = (those: readonly ChartMark[]): PlacedLabel => {
    const text = formatNumbers(those)
    const x = Math.min(...those.map(xOf))
    const isLeft = x + text.length * LETTER > width
    return { marks: those, x: isLeft ? Math.max(...those.map(xOf)) : x, row: 0, isLeft, text }
  }
  const labels: PlacedLabel[] = []
  for (const mark of marks.toSorted((a, b) => a.at - b.at || a.number - b.number)) {
    let label = labelOf([mark])
    for (
      let last = labels.at(-1);
      last !== undefined && !isApart(spanOf(label), spanOf(last));
      last = labels.at(-1)
    ) {
      labels.pop()
      label = labelOf([...last.marks, ...label.marks])
    }
    labels.push(label)
  }
  return labels
}

/**
 * Labels for the marks of a plot of `width` pixels, in `rows` rows above it: number and text if there is space, else the
 * number. Marks that are too close share one label, such as `14–17`, so that each has its number.
 */
export const layOutMarkLabels = (
  marks: readonly ChartMark[],
  { from, until, width, rows }: { from: number; until: number; width: number; rows: number },
): PlacedLabel[] => {
  const plot: Plot = { width, xOf: ({ at }) => ((at - from) / Math.max(until - from, 1)) * width }
  let words = layOutTexts(marks, rows, plot)
  for (;;) {
    const labeled = new Set(words.flatMap((label) => label.marks))
    const numbers = layOutNumbers(
      marks.filter((mark) => !labeled.has(mark)),
      plot,
    )
    // A line to the text would cross a number, so the mark gets its number only.
    const clear = words.filter(({ x }) => numbers.every((label) => isOff(x, spanOf(label))))
    if (clear.length === words.length) return [...words, ...numbers]
    words = clear
  }
}

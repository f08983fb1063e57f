import { placeLabels } from '@/lib/domain/review/place-labels'
import type { DrawMarks } from '../sheet/period-chart'

const [ROWS, ROW_HEIGHT, GAP] = [3, 12, 4]
/** No letter of the chart's font is wider on average. */
const LETTER_WIDTH = 6.4
const MOST_LETTERS = 24

const shortLabel = (label: string): string => {
  const short = label.slice(0, label.indexOf(':'))
  return short.length > MOST_LETTERS ? `${short.slice(0, MOST_LETTERS - 1)}…` : short
}
const foldedWords = (count: number): string => `+${count} more`
const widthOf = (words: string): number => words.length * LETTER_WIDTH

/** A line for each mark, and their labels in rows above the foot of the curves, the lowest first. */
export const drawMarksV2: DrawMarks = (marks, x, plot) => {
  const lines = marks.map(({ at, label }) => ({ key: `${at} ${label}`, x: x(Date.parse(at)), label }))
  const { placed, folded } = placeLabels(
    lines.map((line) => ({ x: line.x, width: widthOf(shortLabel(line.label)) })),
    {
      left: plot.left,
      right: plot.right,
      rows: ROWS,
      gap: GAP,
      foldedWidth: (count) => widthOf(foldedWords(count)),
    },
  )
  const labels = [
    ...placed.map(({ mark, ...place }) => ({ ...place, words: shortLabel(lines[mark]?.label ?? '') })),
    ...folded.map(({ count, ...place }) => ({ ...place, words: foldedWords(count) })),
  ]
  return (
    <g>
      {lines.map((line) => (
        <line
          key={line.key}
          x1={line.x}
          x2={line.x}
          y1={plot.top}
          y2={plot.bottom}
          stroke="var(--warn)"
          strokeDasharray="3 3"
        >
          <title>{line.label}</title>
        </line>
      ))}
      {labels.map(({ row, left, words }) => (
        <text
          key={`${row} ${left}`}
          x={left.toFixed(1)}
          y={plot.bottom - 5 - row * ROW_HEIGHT}
          className="review-mark"
        >
          {words}
        </text>
      ))}
    </g>
  )
}

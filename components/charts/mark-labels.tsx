import { usePlotArea } from 'recharts'
import { type ChartMark, placeMarkLabels } from './place-mark-labels'

const ROWS = 3
const ROW_HEIGHT = 14
export const MARK_ROWS_HEIGHT = ROWS * ROW_HEIGHT + 6

/** The words of the marks above the plot, each at its line. */
export const MarkLabels = ({
  marks,
  from,
  until,
  activeMark,
}: {
  marks: readonly ChartMark[]
  from: number
  until: number
  activeMark: number | null
}) => {
  const plot = usePlotArea()
  if (plot === undefined) return null
  const placed = placeMarkLabels(marks, { from, until, width: plot.width, rows: ROWS })
  return (
    <g fontSize={11}>
      {[...placed].map(([{ number, isIncident }, { x, row, isLeft, text }]) => {
        const colour = isIncident ? 'var(--warn)' : 'var(--ink)'
        const y = plot.y - 4 - row * ROW_HEIGHT
        return (
          <g key={number}>
            <path d={`M${plot.x + x} ${plot.y}V${y - 8}`} stroke={colour} strokeWidth={1.2} fill="none" />
            <text
              x={plot.x + x + (isLeft ? -3 : 3)}
              y={y}
              fill={colour}
              fontWeight={number === activeMark ? 700 : 400}
              textAnchor={isLeft ? 'end' : 'start'}
            >
              {text}
            </text>
          </g>
        )
      })}
    </g>
  )
}

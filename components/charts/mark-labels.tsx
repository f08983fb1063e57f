import { usePlotArea } from 'recharts'
import { type ChartMark, layOutMarkLabels } from './lay-out-mark-labels'

const ROWS = 3
const ROW_HEIGHT = 14
export const MARK_ROWS_HEIGHT = ROWS * ROW_HEIGHT + 6

/** The labels of the marks above the plot, each at its line; a label of several marks lists them when it is pressed. */
export const MarkLabels = ({
  marks,
  from,
  until,
  activeMark,
  onOpen,
}: {
  marks: readonly ChartMark[]
  from: number
  until: number
  activeMark: number | null
  onOpen: (numbers: readonly number[]) => void
}) => {
  const plot = usePlotArea()
  if (plot === undefined) return null
  const placed = layOutMarkLabels(marks, { from, until, width: plot.width, rows: ROWS })
  return (
    <g fontSize={11}>
      {placed.map(({ marks: labeled, x, row, isLeft, text }) => {
        const colour = labeled.every(({ isIncident }) => isIncident) ? 'var(--warn)' : 'var(--ink)'
        const y = plot.y - 4 - row * ROW_HEIGHT
        return (
          <g key={text}>
            <path d={`M${plot.x + x} ${plot.y}V${y - 8}`} stroke={colour} strokeWidth={1.2} fill="none" />
            <text
              x={plot.x + x + (isLeft ? -3 : 3)}
              y={y}
              fill={colour}
              fontWeight={labeled.some(({ number }) => number === activeMark) ? 700 : 400}
              textAnchor={isLeft ? 'end' : 'start'}
              className="cursor-pointer hover:underline"
              onPointerDown={() => onOpen(labeled.map(({ number }) => number))}
            >
              {text}
              <title>{labeled.map(({ number, label }) => `${number}. ${label}`).join('\n')}</title>
            </text>
          </g>
        )
      })}
    </g>
  )
}

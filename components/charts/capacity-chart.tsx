'use client'

import { useMemo } from 'react'
import { Area, Line, ReferenceLine } from 'recharts'
import { layersOf } from './chart-layers'
import { ChartPatterns } from './chart-patterns'
import type { ChartPoint } from './chart-point'
import { drawnToEnd } from './drawn-to-end'
import type { ChartMark } from './lay-out-mark-labels'
import { MARK_ROWS_HEIGHT, MarkLabels } from './mark-labels'
import { PointText } from './point-text'
import { STILL, TimeChart } from './time-chart'

const STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

const roundUp = (value: number): number => {
  const unit = 10 ** Math.floor(Math.log10(value))
  return (STEPS.find((step) => step * unit >= value) ?? 10) * unit
}

/**
 * Where the axis ends. Where the capacity changes as a gap begins or ends, what was known of a point and what was not may add up to
 * more than there is; such a peak of one point does not shrink all others.
 */
export const chartTop = (points: readonly ChartPoint[]): number => {
  const sums = points.map(({ capacity, unseen }) => (capacity ?? 0) + (unseen ?? 0))
  const lasting = sums.map((sum, index) =>
    Math.min(sum, Math.max(sums[index - 1] ?? sum, sums[index + 1] ?? sum)),
  )
  const max = Math.max(
    0,
    ...lasting,
    ...points.flatMap(({ capacity, used, before }) => [capacity ?? 0, used ?? 0, before ?? 0]),
  )
  return max <= 4 ? 4 : roundUp(max)
}

/**
 * vGPUs over time, stacked under the capacity; time without data is a gap. `isHeld`: of a flavor or a project, of which
 * only the use is known.
 */
export const CapacityChart = ({
  points,
  stepSeconds,
  isHeld,
  label,
  marks,
  activeMark,
  onOpenMarks,
}: {
  points: readonly ChartPoint[]
  stepSeconds: number
  isHeld: boolean
  label: string
  marks: readonly ChartMark[]
  /** Number of the mark that is pointed at elsewhere; null: none is. */
  activeMark: number | null
  /** The words of marks were pressed. */
  onOpenMarks: (numbers: readonly number[]) => void
}) => {
  const data = useMemo(() => drawnToEnd(points, stepSeconds), [points, stepSeconds])
  const [from, until] = [data[0]?.at ?? 0, data.at(-1)?.at ?? 0]
  const shown = useMemo(() => marks.filter(({ at }) => at >= from && at <= until), [marks, from, until])
  return (
    <TimeChart
      data={data}
      stepSeconds={stepSeconds}
      label={label}
      height={shown.length === 0 ? 260 : 290}
      {...(shown.length === 0 ? {} : { top: MARK_ROWS_HEIGHT })}
      values={{ domain: [0, chartTop(points)], allowDataOverflow: true, allowDecimals: false }}
      words={(props) => <PointText {...props} stepSeconds={stepSeconds} marks={shown} />}
    >
      <ChartPatterns />
      {layersOf(isHeld).map(({ name, fill }) => (
        <Area
          key={name}
          dataKey={name}
          stackId="vgpus"
          type="stepAfter"
          fill={fill}
          fillOpacity={1}
          stroke={name === 'used' ? 'var(--accent)' : 'none'}
          {...STILL}
        />
      ))}
      {isHeld ? null : (
        <Line dataKey="capacity" type="stepAfter" stroke="var(--ink)" strokeWidth={1.4} {...STILL} />
      )}
      {data.some(({ before }) => before !== undefined) ? (
        <Line
          dataKey="before"
          type="stepAfter"
          stroke="var(--ink)"
          strokeWidth={1.6}
          strokeDasharray="5 4"
          {...STILL}
        />
      ) : null}
      {shown.map(({ at, number, isIncident }) => (
        <ReferenceLine
          key={number}
          x={at}
          stroke={isIncident ? 'var(--warn)' : 'var(--ink)'}
          strokeDasharray={isIncident ? '2 3' : '6 3'}
          strokeWidth={number === activeMark ? 3 : 1.2}
        />
      ))}
      <MarkLabels marks={shown} from={from} until={until} activeMark={activeMark} onOpen={onOpenMarks} />
    </TimeChart>
  )
}

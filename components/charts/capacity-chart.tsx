'use client'

import { useMemo } from 'react'
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { layersOf } from './chart-layers'
import { axisTicks } from './chart-moments'
import { ChartPatterns } from './chart-patterns'
import type { ChartPoint } from './chart-point'
import { chartTop } from './chart-top'
import { MARK_ROWS_HEIGHT, MarkLabels } from './mark-labels'
import type { ChartMark } from './place-mark-labels'
import { PointWords } from './point-words'

const TICK = { fill: 'var(--ink3)', fontSize: 11 }

/** A point stands for all of its time: the last one is drawn to its end. */
const drawn = (points: readonly ChartPoint[], stepSeconds: number): ChartPoint[] => {
  const last = points.at(-1)
  return last === undefined ? [] : [...points, { ...last, at: last.at + stepSeconds * 1000 }]
}

/**
 * vGPUs over time, stacked under the capacity; a time that nobody watched is left open. `isHeld`: of a flavor or a project, of
 * which nothing but the use is known.
 */
export const CapacityChart = ({
  points,
  stepSeconds,
  isHeld,
  label,
  marks,
  activeMark,
}: {
  points: readonly ChartPoint[]
  stepSeconds: number
  isHeld: boolean
  label: string
  marks: readonly ChartMark[]
  /** Number of the mark that is pointed at elsewhere; null: none is. */
  activeMark: number | null
}) => {
  const data = useMemo(() => drawn(points, stepSeconds), [points, stepSeconds])
  const [from, until] = [data[0]?.at ?? 0, data.at(-1)?.at ?? 0]
  const ticks = useMemo(() => axisTicks(from, until), [from, until])
  const shown = useMemo(() => marks.filter(({ at }) => at >= from && at <= until), [marks, from, until])
  return (
    <ResponsiveContainer width="100%" height={shown.length === 0 ? 260 : 290}>
      <ComposedChart
        data={data}
        margin={{ top: shown.length === 0 ? 8 : MARK_ROWS_HEIGHT, right: 24, bottom: 0, left: 0 }}
        title={label}
        accessibilityLayer={false}
      >
        <ChartPatterns />
        <CartesianGrid vertical={false} stroke="var(--line2)" />
        <XAxis
          dataKey="at"
          type="number"
          scale="time"
          domain={['dataMin', 'dataMax']}
          ticks={ticks.map(({ at }) => at)}
          tickFormatter={(at: number) => ticks.find((tick) => tick.at === at)?.words ?? ''}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
          minTickGap={16}
        />
        <YAxis
          width={44}
          domain={[0, chartTop(points)]}
          allowDataOverflow
          tick={TICK}
          tickLine={false}
          axisLine={false}
          allowDecimals={false}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--edge)' }}
          content={(props) => <PointWords {...props} stepSeconds={stepSeconds} marks={shown} />}
        />
        {layersOf(isHeld).map(({ name, fill }) => (
          <Area
            key={name}
            dataKey={name}
            stackId="vgpus"
            type="stepAfter"
            fill={fill}
            fillOpacity={1}
            stroke={name === 'used' ? 'var(--accent)' : 'none'}
            isAnimationActive={false}
            connectNulls={false}
            activeDot={false}
          />
        ))}
        {isHeld ? null : (
          <Line
            dataKey="capacity"
            type="stepAfter"
            stroke="var(--ink)"
            strokeWidth={1.4}
            dot={false}
            activeDot={false}
            isAnimationActive={false}
            connectNulls={false}
          />
        )}
        {data.some(({ before }) => before !== undefined) ? (
          <Line
            dataKey="before"
            type="stepAfter"
            stroke="var(--ink)"
            strokeWidth={1.6}
            strokeDasharray="5 4"
            dot={false}
            activeDot={false}
            isAnimationActive={false}
            connectNulls={false}
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
        <MarkLabels marks={shown} from={from} until={until} activeMark={activeMark} />
      </ComposedChart>
    </ResponsiveContainer>
  )
}

'use client'

import { useMemo } from 'react'
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts'
import { axisTicks, pointMoment } from '@/components/charts/chart-moments'
import { formatCount } from '@/lib/util/format'
import type { ForecastPoint } from './forecast-points'

const DAY_SECONDS = 86_400
const TICK = { fill: 'var(--ink3)', fontSize: 11 }

const PointWords = ({ active, payload }: Pick<TooltipContentProps, 'active' | 'payload'>) => {
  const point = payload[0]?.payload as ForecastPoint | undefined
  if (!active || point === undefined) return null
  const rows = [
    ['capacity', point.capacity === null ? null : formatCount(point.capacity)],
    ['most used at once', point.used === null ? null : formatCount(point.used)],
    ['likely', point.likely === null ? null : formatCount(point.likely)],
    ['four of five', point.range === null ? null : point.range.map(formatCount).join(' to ')],
  ] as const
  return (
    <div className="rounded-control border border-line bg-panel px-2.5 py-1.5 text-small shadow-float">
      <p className="mb-0.5 font-semibold">{pointMoment(point.at, DAY_SECONDS)}</p>
      <dl className="grid grid-cols-[auto_auto] gap-x-3 tabular-nums">
        {rows.map(([word, value]) =>
          value === null ? null : (
            <div key={word} className="contents">
              <dt className="text-ink2">{word}</dt>
              <dd className="text-right">{value}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  )
}

/** Daily peaks, and how they are likely to go on: a dashed line in a striped band, under the capacity. */
export const ForecastChart = ({ points, label }: { points: readonly ForecastPoint[]; label: string }) => {
  const data = useMemo(() => [...points], [points])
  const ticks = useMemo(() => axisTicks(data[0]?.at ?? 0, data.at(-1)?.at ?? 0), [data])
  return (
    <ResponsiveContainer width="100%" height={240}>
      <ComposedChart
        data={data}
        margin={{ top: 8, right: 24, bottom: 0, left: 0 }}
        title={label}
        accessibilityLayer={false}
      >
        <defs>
          <pattern
            id="forecast-range"
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="6" height="6" fill="var(--accent2)" />
            <rect width="1.5" height="6" fill="var(--accent)" opacity="0.45" />
          </pattern>
        </defs>
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
        <YAxis width={44} tick={TICK} tickLine={false} axisLine={false} allowDecimals={false} />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--edge)' }}
          content={(props) => <PointWords {...props} />}
        />
        <Area
          dataKey="used"
          type="stepAfter"
          fill="var(--accent)"
          fillOpacity={1}
          stroke="var(--accent)"
          isAnimationActive={false}
          connectNulls={false}
          activeDot={false}
        />
        <Area
          dataKey="range"
          type="linear"
          fill="url(#forecast-range)"
          fillOpacity={1}
          stroke="none"
          isAnimationActive={false}
          connectNulls={false}
          activeDot={false}
        />
        <Line
          dataKey="likely"
          type="linear"
          stroke="var(--accent-ink)"
          strokeWidth={1.6}
          strokeDasharray="5 4"
          dot={false}
          activeDot={false}
          isAnimationActive={false}
          connectNulls={false}
        />
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
      </ComposedChart>
    </ResponsiveContainer>
  )
}

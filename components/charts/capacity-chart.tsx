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
import { formatCount } from '@/lib/util/format'
import { CHART_LAYERS, layersOf } from './chart-layers'
import { axisTicks, pointMoment } from './chart-moments'
import type { ChartPoint } from './chart-point'

const Stripes = ({
  id,
  size,
  width,
  angle,
  ground,
  ink,
}: {
  id: string
  size: number
  width: number
  angle: number
  ground: string
  ink: string
}) => (
  <pattern
    id={id}
    width={size}
    height={size}
    patternUnits="userSpaceOnUse"
    patternTransform={`rotate(${angle})`}
  >
    <rect width={size} height={size} fill={ground} />
    <rect width={width} height={size} fill={ink} />
  </pattern>
)

const Patterns = () => (
  <defs>
    <pattern id="chart-spare" width="5" height="5" patternUnits="userSpaceOnUse">
      <rect width="5" height="5" fill="var(--accent2)" />
      <circle cx="2.5" cy="2.5" r="1.1" fill="var(--accent)" />
    </pattern>
    <Stripes id="chart-orphan" size={5} width={2} angle={-45} ground="var(--warn2)" ink="var(--warn)" />
    <pattern id="chart-stranded" width="6" height="6" patternUnits="userSpaceOnUse">
      <rect width="6" height="6" fill="var(--warn2)" />
      <path d="M0 3h6" stroke="var(--warn)" strokeWidth="1" />
    </pattern>
    <Stripes id="chart-unseen" size={6} width={1} angle={45} ground="var(--line2)" ink="var(--edge)" />
  </defs>
)

const figure = (value: number): string => formatCount(Math.round(value * 10) / 10)

const PointWords = ({
  active,
  payload,
  stepSeconds,
}: Pick<TooltipContentProps, 'active' | 'payload'> & { stepSeconds: number }) => {
  const point = payload[0]?.payload as ChartPoint | undefined
  if (!active || point === undefined) return null
  return (
    <div className="rounded-control border border-line bg-panel px-2.5 py-1.5 text-small shadow-float">
      <p className="mb-0.5 font-semibold">{pointMoment(point.at, stepSeconds)}</p>
      {point.used === null ? (
        <p className="text-ink2">Nobody watched: nothing is known.</p>
      ) : (
        <dl className="grid grid-cols-[auto_auto] gap-x-3 tabular-nums">
          {[{ name: 'capacity', word: 'capacity' } as const, ...CHART_LAYERS].map(({ name, word }) => {
            const value = point[name]
            return value === null || (value === 0 && name !== 'used') ? null : (
              <div key={name} className="contents">
                <dt className="text-ink2">{word}</dt>
                <dd className="text-right">{figure(value)}</dd>
              </div>
            )
          })}
          {point.usedMax === null ? null : (
            <div className="contents">
              <dt className="text-ink2">most used at once</dt>
              <dd className="text-right">{figure(point.usedMax)}</dd>
            </div>
          )}
        </dl>
      )}
    </div>
  )
}

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
}: {
  points: readonly ChartPoint[]
  stepSeconds: number
  isHeld: boolean
  label: string
}) => {
  const data = useMemo(() => drawn(points, stepSeconds), [points, stepSeconds])
  const ticks = useMemo(() => axisTicks(data[0]?.at ?? 0, data.at(-1)?.at ?? 0), [data])
  return (
    <ResponsiveContainer width="100%" height={260}>
      <ComposedChart
        data={data}
        margin={{ top: 8, right: 24, bottom: 0, left: 0 }}
        title={label}
        accessibilityLayer={false}
      >
        <Patterns />
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
          content={(props) => <PointWords {...props} stepSeconds={stepSeconds} />}
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
      </ComposedChart>
    </ResponsiveContainer>
  )
}

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
import { formatMib } from '@/lib/util/format'
import { percentWords, type UsagePoint } from './usage-point'

const Words = ({ name, value }: { name: string; value: string | null }) =>
  value === null ? null : (
    <div className="contents">
      <dt className="text-ink2">{name}</dt>
      <dd className="text-right">{value}</dd>
    </div>
  )

const PointWords = ({
  active,
  payload,
  stepSeconds,
}: Pick<TooltipContentProps, 'active' | 'payload'> & { stepSeconds: number }) => {
  const point = payload[0]?.payload as UsagePoint | undefined
  if (!active || point === undefined) return null
  const { utilisation, extremes, usedMib, totalMib } = point
  const [least, most] = extremes ?? [0, 0]
  const memory = usedMib === null ? null : formatMib(Math.round(usedMib))
  return (
    <div className="rounded-control border border-line bg-panel px-2.5 py-1.5 text-small shadow-float">
      <p className="mb-0.5 font-semibold">{pointMoment(point.at, stepSeconds)}</p>
      {utilisation === null && usedMib === null ? (
        <p className="text-ink2">Nobody measured: nothing is known.</p>
      ) : (
        <dl className="grid grid-cols-[auto_auto] gap-x-3 tabular-nums">
          <Words name="utilisation" value={utilisation === null ? 'unknown' : percentWords(utilisation)} />
          <Words
            name="least and most"
            value={
              extremes === null || least === most ? null : `${percentWords(least)} to ${percentWords(most)}`
            }
          />
          <Words
            name="framebuffer"
            value={memory === null || totalMib === null ? memory : `${memory} of ${formatMib(totalMib)}`}
          />
        </dl>
      )}
    </div>
  )
}

const TICK = { fill: 'var(--ink3)', fontSize: 11 }

/** A point stands for all of its time: the last one is drawn to its end. */
const drawn = (points: readonly UsagePoint[], stepSeconds: number): UsagePoint[] => {
  const last = points.at(-1)
  return last === undefined ? [] : [...points, { ...last, at: last.at + stepSeconds * 1000 }]
}

/** Percent over time: the average with its extremes, and the framebuffer in use; a time that nobody measured is left open. */
export const UsageChart = ({
  points,
  stepSeconds,
  label,
  height,
}: {
  points: readonly UsagePoint[]
  stepSeconds: number
  label: string
  height: number
}) => {
  const data = useMemo(() => drawn(points, stepSeconds), [points, stepSeconds])
  const ticks = useMemo(() => axisTicks(data[0]?.at ?? 0, data.at(-1)?.at ?? 0), [data])
  const still = { dot: false, activeDot: false, isAnimationActive: false, connectNulls: false } as const
  return (
    <ResponsiveContainer width="100%" height={height}>
      <ComposedChart
        data={data}
        margin={{ top: 8, right: 24, bottom: 0, left: 0 }}
        title={label}
        accessibilityLayer={false}
      >
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
          domain={[0, 100]}
          ticks={[0, 25, 50, 75, 100]}
          tickFormatter={(value: number) => `${value} %`}
          tick={TICK}
          tickLine={false}
          axisLine={false}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--edge)' }}
          content={(props) => <PointWords {...props} stepSeconds={stepSeconds} />}
        />
        <Area
          dataKey="extremes"
          type="stepAfter"
          fill="var(--accent2)"
          fillOpacity={1}
          stroke="none"
          {...still}
        />
        <Line dataKey="utilisation" type="stepAfter" stroke="var(--accent)" strokeWidth={1.6} {...still} />
        <Line
          dataKey="memory"
          type="stepAfter"
          stroke="var(--ink2)"
          strokeWidth={1.2}
          strokeDasharray="4 3"
          {...still}
        />
      </ComposedChart>
    </ResponsiveContainer>
  )
}

'use client'

import { useMemo } from 'react'
import { Area, type TooltipContentProps } from 'recharts'
import { useChartClock } from '@/components/charts/chart-clock'
import { Stripes } from '@/components/charts/chart-patterns'
import { drawnToEnd } from '@/components/charts/drawn-to-end'
import { PointBox } from '@/components/charts/point-box'
import { STILL, TimeChart } from '@/components/charts/time-chart'
import { formatCount } from '@/lib/util/format'
import { REFUSED_LAYERS } from './refused-layers'
import type { RefusedPoint } from './refused-point'

const PointText = ({
  active,
  payload,
  stepSeconds,
}: Pick<TooltipContentProps, 'active' | 'payload'> & { stepSeconds: number }) => {
  const clock = useChartClock(stepSeconds)
  const point = payload[0]?.payload as RefusedPoint | undefined
  if (!active || point === undefined) return null
  return (
    <PointBox
      title={clock.moment(point.at)}
      unknown={point.all === 0 ? 'No refusals.' : null}
      rows={REFUSED_LAYERS.map(({ name, word }) => [
        word,
        point[name] === 0 ? null : formatCount(point[name]),
      ])}
    />
  )
}

const Patterns = () => (
  <defs>
    <Stripes id="chart-over-limit" size={5} width={2} angle={-45} ground="var(--bad2)" ink="var(--bad)" />
    <pattern id="chart-build-failed" width="5" height="5" patternUnits="userSpaceOnUse">
      <rect width="5" height="5" fill="var(--bad2)" />
      <circle cx="2.5" cy="2.5" r="1.1" fill="var(--bad)" />
    </pattern>
  </defs>
)

/** Servers refused over time, stacked by reason. */
export const RefusedChart = ({
  points,
  stepSeconds,
  label,
  height,
}: {
  points: readonly RefusedPoint[]
  stepSeconds: number
  label: string
  height: number
}) => {
  const data = useMemo(() => drawnToEnd(points, stepSeconds), [points, stepSeconds])
  const max = Math.max(...points.map(({ all }) => all))
  return (
    <TimeChart
      data={data}
      stepSeconds={stepSeconds}
      label={label}
      height={height}
      values={{ domain: [0, max > 2 ? 'auto' : 2], allowDecimals: false }}
      words={(props) => <PointText {...props} stepSeconds={stepSeconds} />}
    >
      <Patterns />
      {REFUSED_LAYERS.map(({ name, fill }) => (
        <Area
          key={name}
          dataKey={name}
          stackId="servers"
          type="stepAfter"
          fill={fill}
          fillOpacity={1}
          stroke="none"
          {...STILL}
        />
      ))}
    </TimeChart>
  )
}

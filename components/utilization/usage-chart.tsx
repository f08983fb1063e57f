'use client'

import { useMemo } from 'react'
import { Area, Line, type TooltipContentProps } from 'recharts'
import { useChartClock } from '@/components/charts/chart-clock'
import { drawnToEnd } from '@/components/charts/drawn-to-end'
import { PointBox } from '@/components/charts/point-box'
import { STILL, TimeChart } from '@/components/charts/time-chart'
import { formatMib, formatShare } from '@/lib/util/format'
import type { UsagePoint } from './usage-point'

const PointText = ({
  active,
  payload,
  stepSeconds,
}: Pick<TooltipContentProps, 'active' | 'payload'> & { stepSeconds: number }) => {
  const clock = useChartClock(stepSeconds)
  const point = payload[0]?.payload as UsagePoint | undefined
  if (!active || point === undefined) return null
  const { utilization, extremes, usedMib, totalMib } = point
  const [min, max] = extremes ?? [0, 0]
  const memory = usedMib === null ? null : formatMib(Math.round(usedMib))
  return (
    <PointBox
      title={clock.moment(point.at, point.endsAt)}
      unknown={utilization === null && usedMib === null ? 'Not measured.' : null}
      rows={[
        ['utilization', utilization === null ? 'unknown' : formatShare(utilization / 100)],
        [
          'minimum and maximum',
          extremes === null || min === max ? null : `${formatShare(min / 100)} to ${formatShare(max / 100)}`,
        ],
        [
          'framebuffer',
          memory === null || totalMib === null ? memory : `${memory} of ${formatMib(totalMib)}`,
        ],
      ]}
    />
  )
}

const SHARES = {
  domain: [0, 100],
  ticks: [0, 25, 50, 75, 100],
  tickFormatter: (value: number) => `${value} %`,
}

/** Percent over time: the average with its extremes, and the framebuffer in use; time without data is a gap. */
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
  const data = useMemo(() => drawnToEnd(points, stepSeconds), [points, stepSeconds])
  return (
    <TimeChart
      data={data}
      stepSeconds={stepSeconds}
      label={label}
      height={height}
      values={SHARES}
      words={(props) => <PointText {...props} stepSeconds={stepSeconds} />}
    >
      <Area
        dataKey="extremes"
        type="stepAfter"
        fill="var(--accent2)"
        fillOpacity={1}
        stroke="none"
        {...STILL}
      />
      <Line dataKey="utilization" type="stepAfter" stroke="var(--accent)" strokeWidth={1.6} {...STILL} />
      <Line
        dataKey="memory"
        type="stepAfter"
        stroke="var(--ink2)"
        strokeWidth={1.2}
        strokeDasharray="4 3"
        {...STILL}
      />
    </TimeChart>
  )
}

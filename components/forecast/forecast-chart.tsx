'use client'

import { Area, Line, type TooltipContentProps } from 'recharts'
import { pointMoment } from '@/components/charts/chart-moments'
import { PointBox } from '@/components/charts/point-box'
import { STILL, TimeChart } from '@/components/charts/time-chart'
import { formatCount } from '@/lib/util/format'
import type { ForecastPoint } from './forecast-points'

const DAY_SECONDS = 86_400

const count = (value: number | null): string | null => (value === null ? null : formatCount(value))

const PointText = ({ active, payload }: Pick<TooltipContentProps, 'active' | 'payload'>) => {
  const point = payload[0]?.payload as ForecastPoint | undefined
  if (!active || point === undefined) return null
  return (
    <PointBox
      title={pointMoment(point.at, { stepSeconds: DAY_SECONDS })}
      rows={[
        ['capacity', count(point.capacity)],
        ['daily peak', count(point.used)],
        ['likely', count(point.likely)],
        ['80% range', point.range === null ? null : point.range.map(formatCount).join(' to ')],
      ]}
    />
  )
}

/** Daily peaks and their likely continuation: a dashed line in a striped band, under the capacity. */
export const ForecastChart = ({ points, label }: { points: readonly ForecastPoint[]; label: string }) => (
  <TimeChart
    data={points}
    stepSeconds={DAY_SECONDS}
    label={label}
    height={240}
    values={{ allowDecimals: false }}
    words={(props) => <PointText {...props} />}
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
    <Area
      dataKey="used"
      type="stepAfter"
      fill="var(--accent)"
      fillOpacity={1}
      stroke="var(--accent)"
      {...STILL}
    />
    <Area
      dataKey="range"
      type="linear"
      fill="url(#forecast-range)"
      fillOpacity={1}
      stroke="none"
      {...STILL}
    />
    <Line
      dataKey="likely"
      type="linear"
      stroke="var(--accent-ink)"
      strokeWidth={1.6}
      strokeDasharray="5 4"
      {...STILL}
    />
    <Line dataKey="capacity" type="stepAfter" stroke="var(--ink)" strokeWidth={1.4} {...STILL} />
  </TimeChart>
)

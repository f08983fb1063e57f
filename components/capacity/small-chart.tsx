import type { ChartPoint } from '@/components/charts/chart-point'
import { gapsOf } from '@/components/charts/gaps-of'
import { areaPath, linePath, runsOf } from '@/components/charts/small-paths'

const SIZE = { width: 600, height: 64 }

/** Use under capacity without axes, as wide as its panel; time without data is grey. The table has the numbers. */
export const SmallChart = ({ points, label }: { points: readonly ChartPoint[]; label: string }) => {
  const used = points.map((point) => point.used)
  const capacity = points.map((point) => point.capacity)
  const most = Math.max(1, ...[...used, ...capacity].map((value) => value ?? 0))
  const size = { most, ...SIZE }
  const scaled = { vectorEffect: 'non-scaling-stroke', fill: 'none' } as const
  return (
    <svg
      viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className="block h-16 w-full"
    >
      {gapsOf(used).map(({ from, until }) => (
        <rect
          key={from}
          x={(from / used.length) * SIZE.width}
          width={((until - from) / used.length) * SIZE.width}
          height={SIZE.height}
          fill="var(--line2)"
        />
      ))}
      {runsOf(used, size).map((corners) => (
        <g key={corners[0]?.x}>
          <path d={areaPath(corners, SIZE.height)} fill="var(--accent2)" />
          <path d={linePath(corners)} stroke="var(--accent)" strokeWidth="1.6" {...scaled} />
        </g>
      ))}
      {runsOf(capacity, size).map((corners) => (
        <path
          key={corners[0]?.x}
          d={linePath(corners)}
          stroke="var(--ink)"
          strokeWidth="1.2"
          strokeDasharray="4 2"
          {...scaled}
        />
      ))}
    </svg>
  )
}

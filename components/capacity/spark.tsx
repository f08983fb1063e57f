import { areaPath, linePath, runsOf } from '@/components/charts/small-paths'
import type { CapacitySeries } from '@/lib/schemas/api/capacity'

const SIZE = { width: 120, height: 22 }

/** A row's use under its capacity as a small chart, next to the numbers. */
export const Spark = ({
  series,
  begin,
}: {
  series: Pick<CapacitySeries, 'used' | 'capacity'>
  /** The point that it begins with. */
  begin: number
}) => {
  const used = series.used.slice(begin)
  const capacity = series.capacity.slice(begin)
  const most = Math.max(0, ...[...used, ...capacity].map((value) => value ?? 0))
  return (
    <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} {...SIZE} aria-hidden className="block">
      {runsOf(used, { most, ...SIZE }).map((corners) => (
        <g key={corners[0]?.x}>
          <path d={areaPath(corners, SIZE.height)} fill="var(--accent2)" />
          <path d={linePath(corners)} fill="none" stroke="var(--accent)" strokeWidth="1.4" />
        </g>
      ))}
      {runsOf(capacity, { most, ...SIZE }).map((corners) => (
        <path key={corners[0]?.x} d={linePath(corners)} fill="none" stroke="var(--ink)" strokeWidth="1" />
      ))}
    </svg>
  )
}

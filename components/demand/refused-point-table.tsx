import { ChartPointTable, type PointColumn } from '@/components/charts/chart-point-table'
import { formatCount } from '@/lib/util/format'
import { REFUSED_LAYERS } from './refused-layers'
import type { RefusedPoint } from './refused-point'

const COLUMNS: readonly PointColumn<RefusedPoint>[] = [
  { name: 'all', head: 'Refused', words: ({ all }) => formatCount(all) },
  ...REFUSED_LAYERS.map(({ name, word }) => ({
    name,
    head: word,
    words: (point: RefusedPoint) => formatCount(point[name]),
  })),
]

/** The chart's points as a table, the newest first. */
export const RefusedPointTable = (props: { points: readonly RefusedPoint[]; stepSeconds: number }) => (
  <ChartPointTable
    {...props}
    label="Points of the chart of refused servers"
    columns={COLUMNS}
    unknown="nobody watched it then"
  />
)

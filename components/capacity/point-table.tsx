import type { ChartPoint } from '@/components/charts/chart-point'
import { ChartPointTable } from '@/components/charts/chart-point-table'
import { vgpus } from './capacity-labels'

const COLUMNS = [
  { name: 'used', head: 'In use' },
  { name: 'usedMax', head: 'Peak use' },
  { name: 'before', head: 'In use in the other range' },
  { name: 'spare', head: 'Reusable' },
  { name: 'orphan', head: 'Orphaned' },
  { name: 'stranded', head: 'Stranded' },
  { name: 'capacity', head: 'Capacity' },
  { name: 'unseen', head: 'No data' },
] as const satisfies readonly { name: keyof ChartPoint; head: string }[]

/** The chart's points as a table, the newest first. */
export const PointTable = ({
  points,
  stepSeconds,
  isHeld,
}: {
  points: readonly ChartPoint[]
  stepSeconds: number
  isHeld: boolean
}) => {
  const isCompared = points.some(({ before }) => before !== undefined)
  const shown = COLUMNS.filter(({ name }) =>
    name === 'before' ? isCompared : !isHeld || name === 'used' || name === 'usedMax',
  )
  return (
    <ChartPointTable
      label="Points of the chart"
      points={points}
      stepSeconds={stepSeconds}
      columns={shown.map(({ name, head }) => ({
        name,
        head,
        words: (point: ChartPoint) => vgpus(point[name] ?? null),
      }))}
      unknown="no data"
    />
  )
}

import { ChartPointTable, type PointColumn } from '@/components/charts/chart-point-table'
import { formatMib } from '@/lib/util/format'
import { percentWords, type UsagePoint } from './usage-point'

const percent = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : percentWords(value)
const mib = (value: number | null): string | null => (value === null ? null : formatMib(Math.round(value)))

const COLUMNS: readonly PointColumn<UsagePoint>[] = [
  { name: 'utilisation', head: 'Utilisation', words: ({ utilisation }) => percent(utilisation) },
  { name: 'least', head: 'Least', words: ({ extremes }) => percent(extremes?.[0]) },
  { name: 'most', head: 'Most', words: ({ extremes }) => percent(extremes?.[1]) },
  { name: 'used', head: 'Framebuffer used', words: ({ usedMib }) => mib(usedMib) },
  { name: 'total', head: 'Framebuffer', words: ({ totalMib }) => mib(totalMib) },
]

/** The chart's points as a table, the newest first. */
export const UsageTable = (props: { points: readonly UsagePoint[]; stepSeconds: number }) => (
  <ChartPointTable
    {...props}
    label="Points of the chart of utilisation"
    columns={COLUMNS}
    unknown="nobody measured it then"
  />
)

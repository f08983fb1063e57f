import type { ReactNode } from 'react'
import { dayOf } from '@/components/capacity/capacity-labels'
import { useChartClock } from '@/components/charts/chart-clock'
import { ChartPointTable, type PointColumn } from '@/components/charts/chart-point-table'
import { ChartOrTable, ChartTools, useChartView } from '@/components/charts/chart-tools'
import { Legend, type LegendKey } from '@/components/charts/legend'
import { buttonStyle } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import { formatMib, formatShare } from '@/lib/util/format'
import { LazyUsageChart } from './lazy-usage-chart'
import type { UsagePoint } from './usage-point'

const percent = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : formatShare(value / 100)
const mib = (value: number | null): string | null => (value === null ? null : formatMib(Math.round(value)))

const COLUMNS: readonly PointColumn<UsagePoint>[] = [
  { name: 'utilization', head: 'Utilization', words: ({ utilization }) => percent(utilization) },
  { name: 'least', head: 'Minimum', words: ({ extremes }) => percent(extremes?.[0]) },
  { name: 'most', head: 'Maximum', words: ({ extremes }) => percent(extremes?.[1]) },
  { name: 'used', head: 'Framebuffer used', words: ({ usedMib }) => mib(usedMib) },
  { name: 'total', head: 'Framebuffer', words: ({ totalMib }) => mib(totalMib) },
]

/** The chart's points as a table, the newest first. */
const UsageTable = (props: { points: readonly UsagePoint[]; stepSeconds: number }) => (
  <ChartPointTable {...props} label="Utilization over time" columns={COLUMNS} unknown="not measured" />
)

const utcDay = (at: number): string => dayOf(new Date(at).toISOString())

const keysOf = (isGroup: boolean): LegendKey[] => [
  { word: 'average utilization', colour: 'accent' },
  {
    word: isGroup ? 'minimum and maximum hour' : 'minimum and maximum',
    fill: 'var(--accent2)',
    swatch: 'var(--accent2)',
  },
  { word: 'framebuffer in use', colour: 'ink2', dash: 'dashed' },
]

/** A chart of utilization, with its table and its files. `children` are above it. */
export const UsageChartPanel = ({
  points,
  stepSeconds,
  title,
  subject,
  csvPath,
  fileName,
  isGroup,
  height,
  className,
  children,
}: {
  points: readonly UsagePoint[]
  stepSeconds: number
  title: string
  /** The measured subject and its cloud, for saved pictures. */
  subject: string
  csvPath: string
  fileName: string
  isGroup: boolean
  height: number
  className?: string
  children?: ReactNode
}) => {
  const view = useChartView()
  const { words } = useChartClock(stepSeconds)
  const drawn = `${title} of ${subject}`
  const keys = keysOf(isGroup)
  const [first, last] = [points[0], points.at(-1)]
  const dates = first === undefined || last === undefined ? '' : `${utcDay(first.at)} to ${utcDay(last.at)}, `
  return (
    <Panel
      {...(className === undefined ? {} : { className })}
      title={title}
      note={`percent, times in ${words}`}
      actions={
        <ChartTools view={view} title={`${drawn}, ${dates}${words}`} keys={keys} name={fileName}>
          <a href={csvPath} download className={buttonStyle({ size: 'small' })}>
            CSV
          </a>
        </ChartTools>
      }
    >
      {children}
      <ChartOrTable
        view={view}
        label={drawn}
        table={<UsageTable points={points} stepSeconds={stepSeconds} />}
      >
        <LazyUsageChart points={points} stepSeconds={stepSeconds} label={title} height={height} />
      </ChartOrTable>
      <Legend keys={keys} />
    </Panel>
  )
}

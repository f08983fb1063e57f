import { useMemo, useState } from 'react'
import { useChartClock } from '@/components/charts/chart-clock'
import { toPoints } from '@/components/charts/chart-point'
import { ChartOrTable, ChartTools, useChartView } from '@/components/charts/chart-tools'
import { LazyCapacityChart } from '@/components/charts/lazy-capacity-chart'
import { Legend } from '@/components/charts/legend'
import { buttonStyle } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import { layBeside } from '@/lib/domain/history/compare'
import type { Capacity, CapacitySeries } from '@/lib/schemas/api/capacity'
import type { CapacityMarks } from '@/lib/schemas/api/capacity-marks'
import { dayOf } from './capacity-words'
import { chartKeys } from './chart-keys'
import { ComparisonTable } from './comparison-table'
import { MarksTable } from './marks-table'
import { PointTable } from './point-table'

/** Another range of the same series. */
export type Beside = { data: Capacity; series: CapacitySeries }

const chartMarks = (marks: CapacityMarks | undefined) =>
  (marks?.marks ?? []).map(({ at, label, kind }, place) => ({
    at: Date.parse(at),
    number: place + 1,
    label,
    isIncident: kind !== 'change',
  }))

/** The chart of one series, with its marks, its table and its files. */
export const ChartPanel = ({
  data,
  series,
  beside,
  marks,
  title,
  csvPath,
  fileName,
  isHeld,
  isPart,
}: {
  data: Capacity
  series: CapacitySeries
  beside: Beside | null
  /** Absent: they are on their way, or could not be had. */
  marks: CapacityMarks | undefined
  title: string
  csvPath: string
  fileName: string
  isHeld: boolean
  /** Of a group, a host or a pGPU: the marks are what concerns it. */
  isPart: boolean
}) => {
  const view = useChartView()
  const { zone, words } = useChartClock(data.stepSeconds)
  const [activeMark, setActiveMark] = useState<number | null>(null)
  const [opened, setOpened] = useState<readonly number[]>([])
  const points = useMemo(() => {
    const { stepSeconds } = data
    const terms = { stepSeconds, otherStepSeconds: beside?.data.stepSeconds ?? 1, count: series.used.length }
    return toPoints(series, data, beside === null ? null : layBeside(beside.series, terms))
  }, [series, data, beside])
  const drawnMarks = useMemo(() => chartMarks(marks), [marks])
  const keys = chartKeys({ isHeld, isCompared: beside !== null, marks: drawnMarks })
  const dates = `${dayOf(data.from)} to ${dayOf(data.until)}`
  return (
    <Panel
      className="mb-3.5"
      title={title}
      note={`vGPUs, times in ${words}`}
      actions={
        <ChartTools
          view={view}
          title={`${title.endsWith('vGPUs') ? title : `${title}, vGPUs`}, ${data.cloud}, ${dates}, ${words}`}
          keys={keys}
          name={fileName}
        >
          <a href={csvPath} download className={buttonStyle({ size: 'small' })}>
            CSV
          </a>
        </ChartTools>
      }
    >
      <ChartOrTable
        view={view}
        label={title}
        table={<PointTable points={points} stepSeconds={data.stepSeconds} isHeld={isHeld} />}
      >
        <LazyCapacityChart
          points={points}
          stepSeconds={data.stepSeconds}
          isHeld={isHeld}
          label={title}
          marks={drawnMarks}
          activeMark={activeMark}
          onOpenMarks={setOpened}
        />
      </ChartOrTable>
      <Legend keys={keys} />
      {beside === null ? null : <ComparisonTable now={{ data, series }} before={beside} isHeld={isHeld} />}
      {marks === undefined ? null : (
        <MarksTable
          data={marks}
          cloud={data.cloud}
          isPart={isPart}
          zone={zone}
          opened={opened}
          onPoint={setActiveMark}
        />
      )}
    </Panel>
  )
}

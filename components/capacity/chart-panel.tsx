import { useMemo, useState } from 'react'
import { useChartClock } from '@/components/charts/chart-clock'
import { layersOf } from '@/components/charts/chart-layers'
import { formatDay } from '@/components/charts/chart-moments'
import { toPoints } from '@/components/charts/chart-point'
import { ChartOrTable, ChartTools, useChartView } from '@/components/charts/chart-tools'
import type { ChartMark } from '@/components/charts/lay-out-mark-labels'
import { LazyCapacityChart } from '@/components/charts/lazy-capacity-chart'
import { Legend, type LegendKey } from '@/components/charts/legend'
import { buttonStyle } from '@/components/ui/button'
import { Unknown } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { alignColumns } from '@/lib/domain/history/compare'
import type { Capacity, CapacitySeries } from '@/lib/schemas/api/capacity'
import type { CapacityMarks } from '@/lib/schemas/api/capacity-marks'
import { dayOf, formatGrowth, vgpus } from './capacity-labels'
import { figuresOf, type SeriesFigures } from './figures'
import { MarksTable } from './marks-table'
import { PointTable } from './point-table'

const ROWS = [
  { name: 'average', word: 'Used on average' },
  { name: 'peak', word: 'Peak use' },
  { name: 'used', word: 'In use at the end' },
  { name: 'growth', word: 'Change' },
  { name: 'capacity', word: 'Capacity at the end' },
  { name: 'stranded', word: 'Stranded at the end' },
] as const satisfies readonly { name: keyof SeriesFigures; word: string }[]

const OF_HELD = new Set<string>(['average', 'peak', 'used', 'growth'])

/** The days of a range; on a narrow screen one under the other. */
const RangeHead = ({ data: { from, until, stepSeconds } }: { data: Capacity }) => {
  const { zone } = useChartClock(stepSeconds)
  return (
    <Th isNumber>
      {formatDay(Date.parse(from), zone)}{' '}
      <span className="max-sm:block">to {formatDay(Date.parse(until) - 1, zone)}</span>
    </Th>
  )
}

const Figure = ({ value, isSigned }: { value: number | null; isSigned: boolean }) =>
  value === null ? (
    <Unknown reason={isSigned ? 'not enough history' : 'no data in this range'} />
  ) : isSigned ? (
    formatGrowth(value)
  ) : (
    vgpus(value)
  )

/** Of the displayed, rounded numbers, so that a reader who subtracts them gets the same result. */
const differenceOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.round(a) - Math.round(b)

/** Two ranges in numbers, and what is between them. */
const ComparisonTable = ({
  now,
  before,
  isHeld,
}: {
  now: { data: Capacity; series: CapacitySeries }
  before: { data: Capacity; series: CapacitySeries }
  isHeld: boolean
}) => {
  const [here, there] = [figuresOf(now.series), figuresOf(before.series)]
  return (
    <SideScroll className="mt-2">
      <Table aria-label="The two ranges">
        <thead>
          <tr>
            <Th>vGPUs</Th>
            <RangeHead data={now.data} />
            <RangeHead data={before.data} />
            <Th isNumber>Difference</Th>
          </tr>
        </thead>
        <tbody>
          {ROWS.filter(({ name }) => !isHeld || OF_HELD.has(name)).map(({ name, word }) => {
            const [a, b] = [here[name], there[name]]
            return (
              <Tr key={name}>
                <Td>{word}</Td>
                <Td isNumber>
                  <Figure value={a} isSigned={name === 'growth'} />
                </Td>
                <Td isNumber>
                  <Figure value={b} isSigned={name === 'growth'} />
                </Td>
                <Td isNumber>
                  <Figure value={differenceOf(a, b)} isSigned />
                </Td>
              </Tr>
            )
          })}
        </tbody>
      </Table>
    </SideScroll>
  )
}

/** What the chart's layers and lines are. */
const chartKeys = ({
  isHeld,
  isCompared,
  marks,
}: {
  isHeld: boolean
  isCompared: boolean
  marks: readonly ChartMark[]
}): LegendKey[] => [
  ...layersOf(isHeld).map(({ word, fill, swatch }) => ({ word, fill, swatch })),
  ...(isHeld ? [] : [{ word: 'capacity', colour: 'ink' as const }]),
  ...(isCompared
    ? [{ word: 'in use in the other range', colour: 'ink' as const, dash: 'dashed' as const }]
    : []),
  ...(marks.some(({ isIncident }) => !isIncident)
    ? [{ word: 'change', colour: 'ink' as const, dash: 'dashed' as const, isUpright: true }]
    : []),
  ...(marks.some(({ isIncident }) => isIncident)
    ? [{ word: 'incident or finding', colour: 'warn' as const, dash: 'dotted' as const, isUpright: true }]
    : []),
]

/** Another range of the same series. */
export type Comparison = { data: Capacity; series: CapacitySeries }

const chartMarks = (marks: CapacityMarks | undefined) =>
  (marks?.marks ?? []).map(({ at, label, kind }, index) => ({
    at: Date.parse(at),
    number: index + 1,
    label,
    isIncident: kind !== 'change',
  }))

/** The chart of one series, with its marks, its table and its files. */
export const ChartPanel = ({
  data,
  series,
  comparison,
  marks,
  title,
  csvPath,
  fileName,
  isHeld,
  isPart,
}: {
  data: Capacity
  series: CapacitySeries
  comparison: Comparison | null
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
    const terms = {
      stepSeconds,
      otherStepSeconds: comparison?.data.stepSeconds ?? 1,
      count: series.used.length,
    }
    return toPoints(series, data, comparison === null ? null : alignColumns(comparison.series, terms))
  }, [series, data, comparison])
  const drawnMarks = useMemo(() => chartMarks(marks), [marks])
  const keys = chartKeys({ isHeld, isCompared: comparison !== null, marks: drawnMarks })
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
      {comparison === null ? null : (
        <ComparisonTable now={{ data, series }} before={comparison} isHeld={isHeld} />
      )}
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

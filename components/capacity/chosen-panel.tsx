import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useChartClock } from '@/components/charts/chart-clock'
import { pointSpan } from '@/components/charts/chart-point'
import { LastKnownNote } from '@/components/gpu/last-known-note'
import { figureOf, PartStats } from '@/components/gpu/part-stats'
import { LoadProblem } from '@/components/shell/load-problem'
import { Skeleton } from '@/components/ui/skeleton'
import { Stat, StatStrip } from '@/components/ui/stat'
import { EmptyState } from '@/components/ui/states'
import { capacityMarksOptions, capacityOptions } from '@/lib/api/capacity'
import type { Capacity, CapacitySeries } from '@/lib/schemas/api/capacity'
import type { FleetTotals } from '@/lib/schemas/api/totals'
import { formatCount, formatPercent } from '@/lib/util/format'
import { apiPaths } from '@/lib/util/paths'
import { chosenName, dayOf, growthNote, isHeldGroup, vgpus } from './capacity-labels'
import { ChartPanel } from './chart-panel'
import { currentOf, figuresOf } from './figures'
import { type CapacityView, chosenQuestion, marksQuestion } from './use-capacity-view'

const PeakStat = ({ data, series, isHeld }: { data: Capacity; series: CapacitySeries; isHeld: boolean }) => {
  const { peak, peakCapacity, peakIndex } = figuresOf(series)
  const clock = useChartClock(data.stepSeconds)
  const span = peakIndex === null ? null : pointSpan(data, peakIndex)
  const share = peak === null || peakCapacity === null ? null : formatPercent(peak, peakCapacity)
  return (
    <Stat
      label="Peak use"
      value={vgpus(peak)}
      note={
        isHeld || share === null || peakCapacity === null
          ? undefined
          : `${share} of ${formatCount(peakCapacity)}`
      }
    >
      {span === null ? null : (
        <p className="text-ink2 text-small">{clock.moment(span.at, span.endsAt, span.beginsAt)}</p>
      )}
    </Stat>
  )
}

const shareOf = (used: number | null, capacity: number | null): string | null =>
  used === null || capacity === null ? null : formatPercent(used, capacity)

/** The totals of the current position: the same numbers as on Overview. */
const CurrentStats = ({
  current,
  growth,
  peak,
}: {
  current: FleetTotals
  growth: string
  peak: React.ReactNode
}) => {
  const { capacity, used, lastKnown } = current
  return (
    <>
      <Stat label="Current use" {...figureOf(current, used, shareOf(used, capacity) ?? undefined)}>
        <p className="text-ink2 text-small">{growth}</p>
        <LastKnownNote lastKnown={lastKnown} part="used" />
      </Stat>
      <Stat label="Total capacity" {...figureOf(current, capacity)}>
        <LastKnownNote lastKnown={lastKnown} />
      </Stat>
      {peak}
      <PartStats totals={current} />
    </>
  )
}

/** The end of a range in the past, from the history. */
const EndStats = ({
  series,
  isHeld,
  growth,
  peak,
}: {
  series: CapacitySeries
  isHeld: boolean
  growth: string
  peak: React.ReactNode
}) => {
  const { capacity, used, stranded, unseen } = figuresOf(series)
  return (
    <>
      <Stat label="In use at the end" value={vgpus(used)} note={shareOf(used, isHeld ? null : capacity)}>
        <p className="text-ink2 text-small">{growth}</p>
      </Stat>
      {isHeld ? null : <Stat label="Capacity at the end" value={vgpus(capacity)} />}
      {peak}
      {isHeld ? null : (
        <>
          <Stat
            label="Stranded"
            value={vgpus(stranded)}
            note={stranded === null ? 'not reported by Nova and Placement' : 'blocked for every flavor'}
            tone={Math.round(stranded ?? 0) > 0 ? 'warn' : 'plain'}
          />
          <Stat
            label="No data"
            value={vgpus(unseen)}
            note="last known capacity"
            tone={Math.round(unseen) > 0 ? 'warn' : 'plain'}
          />
        </>
      )}
    </>
  )
}

/** The chart in a few numbers. */
const FigureStrip = ({ data, isHeld }: { data: Capacity; isHeld: boolean }) => {
  const [series] = data.series
  if (series === undefined) return null
  const current = currentOf(series)
  const growth = growthNote(series.end.growth, data.comparedPeriods)
  const peak = <PeakStat data={data} series={series} isHeld={isHeld} />
  return (
    <StatStrip label={current === null ? 'End of the range' : 'Current totals'}>
      {current === null ? (
        <EndStats series={series} isHeld={isHeld} growth={growth} peak={peak} />
      ) : (
        <CurrentStats current={current} growth={growth} peak={peak} />
      )}
    </StatStrip>
  )
}

const isNothing = ({ used, capacity }: CapacitySeries): boolean =>
  [...used, ...capacity].every((value) => value === null)

const Nothing = ({ data }: { data: Capacity }) => (
  <div className="mb-3.5">
    <EmptyState title={data.firstKnownAt === null ? 'No history yet' : 'No data in this range'}>
      {data.firstKnownAt === null
        ? 'The history begins with the first report of a host and is updated every minute.'
        : `The history begins on ${dayOf(data.firstKnownAt)}. Choose another range or remove the group filter.`}
    </EmptyState>
  </div>
)

/** The compared range; null: none is requested, or it is not loaded. */
const useComparison = (view: CapacityView) => {
  const range = view.compared ?? { from: view.range.from, until: view.range.from }
  const query = useQuery({
    ...capacityOptions({ ...chosenQuestion(view), ...range }),
    enabled: view.compared !== null,
  })
  const data = view.compared === null ? undefined : query.data
  const [series] = data?.series ?? []
  const comparison = useMemo(
    () => (data === undefined || series === undefined ? null : { data, series }),
    [data, series],
  )
  return { query, comparison }
}

/** All vGPUs, or the chosen group, host or pGPU: its figures and its chart. */
export const ChosenPanel = ({ view }: { view: CapacityView }) => {
  const { by, chosen, range, compared } = view
  const question = { ...chosenQuestion(view), ...range }
  const query = useQuery(capacityOptions(question))
  const marks = useQuery(capacityMarksOptions({ ...marksQuestion(view), ...range }))
  const { query: other, comparison } = useComparison(view)
  const { data } = query
  const [series] = data?.series ?? []
  const isHeld = chosen !== null && isHeldGroup(by)
  if (data === undefined)
    return (
      <>
        <LoadProblem query={query} what="The capacity" />
        {query.error === null ? <Skeleton className="mb-3.5 h-[420px]" /> : null}
      </>
    )
  return (
    <>
      <LoadProblem query={query} what="The capacity" />
      {series === undefined || (isNothing(series) && series.current === null) ? null : (
        <FigureStrip data={data} isHeld={isHeld} />
      )}
      {series === undefined || isNothing(series) ? (
        <Nothing data={data} />
      ) : (
        <>
          <LoadProblem query={marks} what="The changes and incidents" />
          {compared === null ? null : <LoadProblem query={other} what="The range to compare with" />}
          <ChartPanel
            data={data}
            series={series}
            comparison={comparison}
            marks={marks.data}
            title={chosenName(view, series)}
            csvPath={apiPaths.capacityExport({ ...question, compareFrom: compared?.from ?? null })}
            fileName={`sliceboard-${data.cloud}-capacity-${dayOf(data.from)}-${dayOf(data.until)}`}
            isHeld={isHeld}
            isPart={chosen !== null || view.host !== null}
          />
        </>
      )}
    </>
  )
}

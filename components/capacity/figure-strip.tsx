import { useChartClock } from '@/components/charts/chart-clock'
import { pointSpan } from '@/components/charts/chart-point'
import { LastKnownNote } from '@/components/gpu/last-known-note'
import { figureOf, PartStats } from '@/components/gpu/part-stats'
import { Stat, StatStrip } from '@/components/ui/stat'
import type { Capacity, CapacitySeries } from '@/lib/schemas/api/capacity'
import type { FleetTotals } from '@/lib/schemas/api/totals'
import { formatCount, formatPercent } from '@/lib/util/format'
import { growthNote, vgpus } from './capacity-words'
import { currentOf, figuresOf } from './figures'

const PeakStat = ({ data, series, isHeld }: { data: Capacity; series: CapacitySeries; isHeld: boolean }) => {
  const { peak, peakCapacity, peakPlace } = figuresOf(series)
  const clock = useChartClock(data.stepSeconds)
  const span = peakPlace === null ? null : pointSpan(data, peakPlace)
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
export const FigureStrip = ({ data, isHeld }: { data: Capacity; isHeld: boolean }) => {
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

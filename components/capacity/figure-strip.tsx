import { useChartClock } from '@/components/charts/chart-clock'
import { pointSpan } from '@/components/charts/chart-point'
import { Stat, StatStrip } from '@/components/ui/stat'
import type { Capacity } from '@/lib/schemas/api/capacity'
import { formatPercent } from '@/lib/util/format'
import { growthWords, vgpus } from './capacity-words'
import { figuresOf } from './figures'

/** What the chart says, in a few numbers. */
export const FigureStrip = ({ data, isHeld }: { data: Capacity; isHeld: boolean }) => {
  const [series] = data.series
  const clock = useChartClock(data.stepSeconds)
  if (series === undefined) return null
  const { capacity, used, stranded, unseen, peak, peakPlace, growth } = figuresOf(series)
  const span = peakPlace === null ? null : pointSpan(data, peakPlace)
  const peakShare = peak === null || capacity === null ? null : formatPercent(peak, capacity)
  return (
    <StatStrip label="In this time">
      <Stat
        label="Used at the end"
        value={vgpus(used)}
        note={
          growth === null || growthWords(growth) === '0' ? undefined : `${growthWords(growth)} in this time`
        }
      />
      {isHeld ? null : <Stat label="Capacity" value={vgpus(capacity)} note="vGPUs" />}
      <Stat label="Peak use" value={vgpus(peak)} note={isHeld ? undefined : (peakShare ?? undefined)}>
        {span === null ? null : (
          <p className="text-ink2 text-small">{clock.moment(span.at, span.endsAt, span.beginsAt)}</p>
        )}
      </Stat>
      {isHeld ? null : (
        <>
          <Stat
            label="Stranded"
            value={vgpus(stranded)}
            note={stranded === null ? 'the cloud has not said' : 'free, out of reach'}
            tone={Math.round(stranded ?? 0) > 0 ? 'warn' : 'plain'}
          />
          <Stat
            label="Not watched"
            value={vgpus(unseen)}
            note="last known capacity"
            tone={Math.round(unseen) > 0 ? 'warn' : 'plain'}
          />
        </>
      )}
    </StatStrip>
  )
}

import { Stat, StatStrip } from '@/components/ui/stat'
import type { FitUnit } from '@/lib/domain/fit/answer-count'
import type { FitReportDto } from '@/lib/schemas/api/fit'
import { formatCount, formatNoun } from '@/lib/util/format'
import { answeredText, fitsText, openBecause } from './fit-words'

/** How many more fit, in figures. What was read long ago is drawn as old. */
export const FitNumbers = ({ fit, unit }: { fit: FitReportDto; unit: FitUnit }) => {
  const open = openBecause(fit)
  const isPromised = fit.byPlacement > fit.fits && fit.unknownHosts === 0
  const atOnce = fitsText({ ...fit, fits: fit.atOnce })
  return (
    <div className={fit.gap === null ? undefined : 'old-words'}>
      <StatStrip label="How many more fit">
        <Stat
          label={fit.gap === null ? 'Fit now' : 'Fitted when last read'}
          value={fitsText(fit)}
          note={open ?? `${unit}s, one after the other`}
        />
        <Stat
          label="At once"
          value={atOnce === null || fit.atOnce === 0 || open !== null ? atOnce : `up to ${atOnce}`}
          note="by one request"
        />
        <Stat
          label="Hosts that take one"
          value={formatCount(fit.fittingHosts)}
          note={`of ${formatNoun(fit.hostCount, 'host')} with GPUs`}
        />
        <Stat
          label="Placement would give"
          value={fit.byPlacement === 0 && fit.unknownHosts > 0 ? null : formatCount(fit.byPlacement)}
          tone={isPromised ? 'warn' : 'plain'}
          note={isPromised ? 'more than the hardware has' : (answeredText(fit) ?? 'by what was read')}
        />
      </StatStrip>
    </div>
  )
}

import type { ReactNode } from 'react'
import { Moment } from '@/components/shell/moment'
import { TimedText } from '@/components/shell/timed-text'
import { Stat, StatStrip } from '@/components/ui/stat'
import type { FitUnit } from '@/lib/domain/fit/answer-count'
import type { FitReportDto } from '@/lib/schemas/api/fit'
import { formatCount, formatNoun } from '@/lib/util/format'
import { CountQuestion } from './count-question'
import { answeredText, fitsText, openBecause } from './fit-labels'
import { HostFitList } from './host-fit-list'
import { ReasonGroups } from './reason-groups'

const Warning = ({ title, children }: { title: string; children: ReactNode }) => (
  <div role="alert" className="mb-3 rounded-panel border border-warn bg-warn2 px-3.5 py-2.5">
    <p>
      <strong className="font-semibold text-warn">{title}</strong>{' '}
      <span className="break-words">{children}</span>
    </p>
  </div>
)

const OfLastReading = ({ readAt }: Pick<FitReportDto, 'readAt'>) =>
  readAt === null ? (
    <>No data has been read yet.</>
  ) : (
    <>
      The values are from the last reading, <Moment at={readAt} />.
    </>
  )

/** Whose word the numbers are: Placement's of just now, or that of the last reading and why. */
const PlacementNote = ({ fit }: { fit: FitReportDto }) => {
  const { placement, gap, readAt } = fit
  return (
    <>
      {gap === null ? null : (
        <Warning title="Available capacity is unknown:">
          <TimedText text={gap} />. <OfLastReading readAt={readAt} />
        </Warning>
      )}
      {placement.state === 'away' && gap === null ? (
        <Warning title="Placement is not responding:">
          {placement.because} <OfLastReading readAt={readAt} />
        </Warning>
      ) : null}
      {placement.state === 'refused' ? (
        <Warning title="Placement rejects the query:">
          {placement.because} Every server with this request fails with NoValidHost.
        </Warning>
      ) : null}
      {placement.isCut ? (
        <Warning title="Placement’s response is incomplete:">
          it contains only {placement.candidates} candidates. For other hosts, the data of the last reading is
          shown.
        </Warning>
      ) : null}
      <p className="mb-3 text-ink2 text-small">
        {placement.state === 'answered' ? (
          <>
            Placement was queried <Moment at={placement.at} />: {answeredText(fit)}. Hardware data is from the
            last reports of the agents.
          </>
        ) : null}
        {placement.state === 'not-asked' ? (
          <>
            Placement was not queried: {placement.because} <OfLastReading readAt={readAt} />
          </>
        ) : null}
      </p>
    </>
  )
}

/** How many more fit, in figures. What was read long ago is drawn as old. */
const FitNumbers = ({ fit, unit }: { fit: FitReportDto; unit: FitUnit }) => {
  const open = openBecause(fit)
  const isPromised = fit.byPlacement > fit.fits && fit.unknownHosts === 0
  const atOnce = fitsText({ ...fit, fits: fit.atOnce })
  return (
    <div className={fit.gap === null ? undefined : 'old-words'}>
      <StatStrip label="Available capacity">
        <Stat
          label={fit.gap === null ? 'Fit now' : 'Fit when last read'}
          value={fitsText(fit)}
          note={open ?? `${unit}s, one after the other`}
        />
        <Stat
          label="At once"
          value={atOnce === null || fit.atOnce === 0 || open !== null ? atOnce : `up to ${atOnce}`}
          note="by one request"
        />
        <Stat
          label="Hosts with capacity"
          value={formatCount(fit.fittingHosts)}
          note={`of ${formatNoun(fit.hostCount, 'host')} with GPUs`}
        />
        <Stat
          label="Placement offers"
          value={fit.byPlacement === 0 && fit.unknownHosts > 0 ? null : formatCount(fit.byPlacement)}
          tone={isPromised ? 'warn' : 'plain'}
          note={isPromised ? 'more than the hardware has' : (answeredText(fit) ?? 'by the last reading')}
        />
      </StatStrip>
    </div>
  )
}

/** How many more fit, and the limiting factor. `side`: the request. */
export const FitBody = ({
  pages,
  unit,
  cloud,
  side,
  onMore,
}: {
  pages: readonly [FitReportDto, ...FitReportDto[]]
  unit: FitUnit
  cloud: string | null
  side: ReactNode
  /** Loads the next hosts; null: there are none. */
  onMore: (() => void) | null
}) => {
  const [fit] = pages
  return (
    <>
      <FitNumbers fit={fit} unit={unit} />
      <CountQuestion fit={fit} unit={unit} />
      <PlacementNote fit={fit} />
      <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_330px]">
        <div className="flex min-w-0 flex-col gap-3">
          <ReasonGroups fit={fit} />
          <HostFitList pages={pages} cloud={cloud} onMore={onMore} />
        </div>
        <div className="flex min-w-0 flex-col gap-3">{side}</div>
      </div>
    </>
  )
}

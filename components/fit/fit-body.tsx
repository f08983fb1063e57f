import type { ReactNode } from 'react'
import { Moment } from '@/components/shell/moment'
import { TimedText } from '@/components/shell/timed-text'
import { Stat, StatStrip } from '@/components/ui/stat'
import type { FitUnit } from '@/lib/domain/fit/answer-count'
import type { FitReportDto } from '@/lib/schemas/api/fit'
import { formatCount, formatNoun } from '@/lib/util/format'
import { CountQuestion } from './count-question'
import { answeredText, fitsText, openBecause } from './fit-words'
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
    <>Nothing has been read yet.</>
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
        <Warning title="Can’t tell what fits now:">
          <TimedText text={gap} />. <OfLastReading readAt={readAt} />
        </Warning>
      )}
      {placement.state === 'away' && gap === null ? (
        <Warning title="Placement does not answer:">
          {placement.because} <OfLastReading readAt={readAt} />
        </Warning>
      ) : null}
      {placement.state === 'refused' ? (
        <Warning title="Placement refuses the query:">
          {placement.because} Every server that asks like this ends in NoValidHost.
        </Warning>
      ) : null}
      {placement.isCut ? (
        <Warning title="Placement’s answer is cut:">
          it ended at {placement.candidates} candidates, so of hosts that are not in it the last reading
          stands.
        </Warning>
      ) : null}
      <p className="mb-3 text-ink2 text-small">
        {placement.state === 'answered' ? (
          <>
            Placement was asked <Moment at={placement.at} />: {answeredText(fit)}. Hardware is as the agents
            last said.
          </>
        ) : null}
        {placement.state === 'not-asked' ? (
          <>
            Placement was not asked: {placement.because} <OfLastReading readAt={readAt} />
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

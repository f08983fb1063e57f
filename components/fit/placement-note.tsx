import type { ReactNode } from 'react'
import { Moment } from '@/components/shell/moment'
import { TimedText } from '@/components/shell/timed-text'
import type { FitReportDto } from '@/lib/schemas/api/fit'
import { answeredText } from './fit-words'

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
export const PlacementNote = ({ fit }: { fit: FitReportDto }) => {
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

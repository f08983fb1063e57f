import Link from 'next/link'
import { Moment } from '@/components/shell/moment'
import { TimedText } from '@/components/shell/timed-text'
import { Td } from '@/components/ui/table'
import type { TrackedFinding } from '@/lib/schemas/api/finding'
import { classNames } from '@/lib/util/class-names'
import { findingPath } from '@/lib/util/paths'
import { BlameTag } from './blame-tag'
import { findingSentence } from './finding-words'
import { SeverityMark } from './severity-mark'
import { StateTag } from './state-tag'
import { SubjectLink } from './subject-link'

/** One finding of the list. `place` is its index among the drawn rows; on a narrow screen all is in one cell. */
export const FindingRow = ({
  finding,
  place,
  cloud,
  isTabStop,
}: {
  finding: TrackedFinding
  place: number
  cloud: string | null
  isTabStop: boolean
}) => {
  const { id, severity, subject, blame, state, cannotTell } = finding
  const since = <Moment at={state === 'closed' ? finding.closedAt : finding.openedAt} />
  return (
    <tr
      data-place={place}
      tabIndex={isTabStop ? 0 : -1}
      className={classNames('-outline-offset-2 hover:bg-bg', state === 'closed' && 'text-ink2')}
    >
      <Td className="w-24 pl-3.5 align-baseline max-md:hidden">
        <SeverityMark severity={severity} />
      </Td>
      <Td className="w-[54%] align-baseline max-md:px-3.5">
        <SeverityMark severity={severity} className="mr-2 md:hidden" />
        <Link
          href={findingPath({ cloud, id })}
          prefetch={false}
          tabIndex={-1}
          className="hover:text-accent-ink hover:underline"
        >
          <TimedText text={findingSentence(finding)} />
        </Link>{' '}
        <span className="inline-flex flex-wrap gap-1">
          <StateTag finding={finding} />
        </span>
        {cannotTell === null ? null : (
          <p className="line-clamp-2 break-words text-ink2 text-small">
            Can’t tell whether it still holds, because <TimedText text={cannotTell} />.
          </p>
        )}
        <p className="mt-0.5 flex flex-wrap items-baseline gap-x-2 gap-y-0.5 text-ink2 text-small md:hidden">
          <SubjectLink subject={subject} cloud={cloud} tabIndex={-1} />
          <BlameTag blame={blame} />
          {since}
        </p>
      </Td>
      <Td className="wrap-anywhere align-baseline max-md:hidden">
        <SubjectLink subject={subject} cloud={cloud} tabIndex={-1} />
      </Td>
      <Td className="align-baseline max-md:hidden">
        <BlameTag blame={blame} />
      </Td>
      <Td className="whitespace-nowrap pr-3.5 text-right align-baseline text-ink2 text-small max-md:hidden">
        {since}
      </Td>
    </tr>
  )
}

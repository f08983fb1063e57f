import Link from 'next/link'
import { TimedText } from '@/components/shell/timed-text'
import type { TrackedFinding } from '@/lib/schemas/api/finding'
import { findingPath } from '@/lib/util/paths'
import { findingSentence } from './finding-labels'
import { FixLink } from './fix-link'
import { SeverityMark } from './severity-mark'
import { SourceTag } from './source-tag'
import { StateTag } from './state-tag'
import { SubjectLink } from './subject-link'

/** Findings of one thing, each a way to its page, most urgent first as the server sends them. */
export const TrackedList = ({
  findings,
  cloud,
  hasSubject = false,
}: {
  findings: readonly TrackedFinding[]
  cloud: string | null
  /** They concern different objects, so each shows its own. */
  hasSubject?: boolean
}) => (
  <ul className="flex flex-col gap-2.5">
    {findings.map((finding) => (
      <li key={finding.id}>
        <p className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
          <SeverityMark finding={finding} />
          <SourceTag source={finding.sourceToCorrect} />
          <StateTag finding={finding} />
          {hasSubject && finding.subject.kind !== 'host' ? (
            <span className="min-w-0 break-words text-ink2 text-small">
              <SubjectLink subject={finding.subject} cloud={cloud} />
            </span>
          ) : null}
        </p>
        <p className="font-[550]">
          <Link href={findingPath({ cloud, id: finding.id })} prefetch={false} className="hover:underline">
            <TimedText text={findingSentence(finding)} />
          </Link>
        </p>
        <p className="break-words text-ink2">{finding.consequence}</p>
        <div className="mt-1 empty:hidden">
          <FixLink finding={finding} cloud={cloud} size="small" />
        </div>
      </li>
    ))}
  </ul>
)

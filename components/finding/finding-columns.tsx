import Link from 'next/link'
import { Moment } from '@/components/shell/moment'
import { TimedText } from '@/components/shell/timed-text'
import type { Column } from '@/components/table/column'
import { SOURCE_TO_CORRECT_LABELS, subjectHost, subjectText } from '@/lib/domain/finding-list/finding-labels'
import type { TrackedFinding } from '@/lib/schemas/api/finding'
import { findingPath } from '@/lib/util/paths'
import { utcText } from '@/lib/util/utc-text'
import { findingSentence } from './finding-labels'
import { FixLink } from './fix-link'
import { SeverityMark } from './severity-mark'
import { SourceTag } from './source-tag'
import { StateTag } from './state-tag'
import { SubjectLink } from './subject-link'

const Since = ({ finding: { state, closedAt, openedAt } }: { finding: TrackedFinding }) => (
  <Moment at={state === 'closed' ? closedAt : openedAt} />
)

/** Findings on their page. On a narrow screen everything is in one cell. */
export const FINDING_COLUMNS: readonly Column<TrackedFinding>[] = [
  { id: 'id', csv: ({ id }) => id },
  { id: 'code', csv: ({ code }) => code },
  { id: 'title', csv: ({ title }) => title },
  {
    id: 'severity',
    header: 'Severity',
    width: 'w-24 pl-3.5',
    phone: 'hidden',
    className: 'pl-3.5',
    cell: (finding) => <SeverityMark finding={finding} />,
    csv: ({ severity }) => severity,
  },
  { id: 'state', csv: ({ state }) => state },
  { id: 'subject_kind', csv: ({ subject }) => subject.kind },
  { id: 'subject', csv: ({ subject }) => subjectText(subject) },
  { id: 'host', csv: ({ subject }) => subjectHost(subject) },
  { id: 'pci_address', csv: ({ subject }) => (subject.kind === 'pgpu' ? subject.address : null) },
  {
    id: 'finding',
    header: 'Finding',
    isFixed: true,
    width: 'w-[44%]',
    className: 'max-md:px-3.5',
    cell: (finding, { cloud }) => (
      <>
        <SeverityMark finding={finding} className="mr-2 md:hidden" />
        <Link
          href={findingPath({ cloud, id: finding.id })}
          prefetch={false}
          tabIndex={-1}
          className="hover:text-accent-ink hover:underline"
        >
          <TimedText text={findingSentence(finding)} />
        </Link>{' '}
        <span className="inline-flex flex-wrap gap-1">
          <StateTag finding={finding} />
        </span>
        {finding.unverifiedReason === null ? null : (
          <p className="line-clamp-2 break-words text-ink2 text-small">
            Not verified: <TimedText text={finding.unverifiedReason} />.
          </p>
        )}
        <p className="mt-0.5 flex flex-wrap items-baseline gap-x-2 gap-y-0.5 text-ink2 text-small md:hidden">
          <SubjectLink subject={finding.subject} cloud={cloud} tabIndex={-1} />
          <SourceTag source={finding.sourceToCorrect} />
          <Since finding={finding} />
        </p>
      </>
    ),
    csv: ({ sentence }) => sentence,
  },
  {
    id: 'about',
    header: 'Subject',
    width: 'w-[20%]',
    phone: 'hidden',
    className: 'wrap-anywhere',
    cell: ({ subject }, { cloud }) => <SubjectLink subject={subject} cloud={cloud} tabIndex={-1} />,
  },
  {
    id: 'source_to_correct',
    header: 'Source to correct',
    phone: 'hidden',
    cell: ({ sourceToCorrect }) => <SourceTag source={sourceToCorrect} />,
    csv: ({ sourceToCorrect }) =>
      sourceToCorrect === null ? null : SOURCE_TO_CORRECT_LABELS[sourceToCorrect],
  },
  { id: 'consequence', csv: ({ consequence }) => consequence },
  { id: 'next_step', csv: ({ nextStep }) => nextStep },
  { id: 'command', csv: ({ command }) => command },
  {
    id: 'opened_at',
    header: 'Since',
    isNumber: true,
    width: 'pr-3.5',
    phone: 'hidden',
    className: 'whitespace-nowrap pr-3.5 text-ink2 text-small',
    cell: (finding) => <Since finding={finding} />,
    csv: ({ openedAt }) => utcText(openedAt),
  },
  {
    id: 'fix',
    header: 'Fix',
    isHeaderHidden: true,
    width: 'w-40 pr-3.5',
    phone: 'hidden',
    className: 'pr-3.5 text-right',
    cell: (finding, { cloud }) => <FixLink finding={finding} cloud={cloud} size="small" />,
  },
  { id: 'closed_at', csv: ({ closedAt }) => utcText(closedAt) },
  { id: 'reopened', csv: ({ reopenedCount }) => reopenedCount },
  { id: 'unverified_reason', csv: ({ unverifiedReason }) => unverifiedReason },
  { id: 'muted_by', csv: ({ mute }) => mute?.by ?? null },
  { id: 'muted_until', csv: ({ mute }) => utcText(mute?.until ?? null) },
  { id: 'acknowledged_by', csv: ({ acknowledgement }) => acknowledgement?.by ?? null },
  { id: 'acknowledged_until', csv: ({ acknowledgement }) => utcText(acknowledgement?.until ?? null) },
  { id: 'note', csv: ({ acknowledgement, mute }) => (acknowledgement ?? mute)?.note ?? null },
]

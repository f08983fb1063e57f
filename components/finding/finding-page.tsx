'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { SubjectProblem } from '@/components/shell/subject-problem'
import { TimedText } from '@/components/shell/timed-text'
import { useCloud } from '@/components/shell/use-cloud'
import { useSilentHosts } from '@/components/shell/use-silent-hosts'
import { CommandLine } from '@/components/ui/command-line'
import { Panel } from '@/components/ui/panel'
import { Skeleton } from '@/components/ui/skeleton'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { isNotFound } from '@/lib/api/client'
import { findingDetailOptions } from '@/lib/api/findings'
import { SOURCE_LABELS } from '@/lib/domain/finding-list/finding-labels'
import { actorLabel } from '@/lib/domain/wording'
import type { FindingDetail } from '@/lib/schemas/api/finding'
import { classNames } from '@/lib/util/class-names'
import { formatCount } from '@/lib/util/format'
import { changePath, findingsPath } from '@/lib/util/paths'
import { FindingActions } from './finding-actions'
import { findingSentence } from './finding-labels'
import { groupEvents } from './group-events'
import { repairOf, silentRefusalOf } from './repair-of'
import { SeverityMark } from './severity-mark'
import { StatusPanel } from './status-panel'
import { SubjectLink } from './subject-link'

const KINDS: Readonly<Record<string, string>> = {
  opened: 'Opened',
  closed: 'Resolved',
  reopened: 'Reopened',
  acknowledged: 'Acknowledged',
  'acknowledgement-ended': 'Acknowledgement ended',
}

/** The events of a finding, the newest first. */
const HistoryPanel = ({ events, cloud }: { events: FindingDetail['events']; cloud: string | null }) => (
  <Panel title="History">
    {events.length === 0 ? (
      <p className="text-ink2">No events.</p>
    ) : (
      <ol className="flex flex-col gap-2.5">
        {groupEvents(events)
          .map((group, index) => ({ ...group, ...group.event, index }))
          .toReversed()
          .map(({ at, kind, actor, note, changeId, from, reopenedCount, index }) => (
            <li key={index} className="border-line border-l-2 pl-2.5">
              <p>
                {from === null
                  ? (KINDS[kind] ?? kind.replaceAll('-', ' '))
                  : `Resolved and reopened ${formatCount(reopenedCount)} times`}
                <span className="text-ink2">
                  {' by '}
                  {changeId === null ? (
                    actorLabel(actor)
                  ) : (
                    <Link
                      href={changePath({ cloud, id: changeId })}
                      className="text-accent-ink hover:underline"
                    >
                      change {changeId}
                    </Link>
                  )}
                </span>
              </p>
              <p className="text-ink3 text-small">
                {from === null ? null : (
                  <>
                    <Moment at={from} />
                    {' to '}
                  </>
                )}
                <Moment at={at} />
              </p>
              {note === null || note === '' ? null : (
                <p className="mt-0.5 whitespace-pre-line break-words">“{note}”</p>
              )}
            </li>
          ))}
      </ol>
    )}
  </Panel>
)

/** The value of each source with its time; the source to correct is marked. */
const EvidencePanel = ({ finding: { evidence, sourceToCorrect } }: { finding: FindingDetail }) => (
  <Panel title="Evidence" note="value of each source">
    {evidence.length === 0 ? (
      <p className="text-ink2">No evidence is stored for this finding.</p>
    ) : (
      <div className="-mx-3.5 -mb-3">
        <Table>
          <thead>
            <tr>
              <Th className="pl-3.5">Source</Th>
              <Th>Reported</Th>
              <Th isNumber className="pr-3.5 max-sm:hidden">
                Time
              </Th>
            </tr>
          </thead>
          <tbody>
            {evidence.map(({ source, reported, at }) => (
              <Tr key={`${source} ${reported}`}>
                <Td className="w-28 pl-3.5 align-top font-[550]">
                  {SOURCE_LABELS[source]}
                  {source === sourceToCorrect ? (
                    <span className="mt-0.5 block">
                      <Tag tone="warn">incorrect</Tag>
                    </span>
                  ) : null}
                </Td>
                <Td className="whitespace-pre-line align-top wrap-anywhere">
                  {reported}
                  <span className="mt-0.5 block text-ink3 text-small sm:hidden">
                    <Moment at={at} />
                  </span>
                </Td>
                <Td className="pr-3.5 text-right align-top text-ink2 text-small max-sm:hidden">
                  <Moment at={at} />
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
    )}
  </Panel>
)

/** What to do next, and the literal command for it. The console does not run it. */
const NextStepPanel = ({
  nextStep,
  command,
  because,
}: {
  nextStep: string
  command: string | null
  /** Why the fix cannot be planned now; null: it can, or there is none. */
  because: string | null
}) => (
  <Panel title="Next step">
    <p>{nextStep}</p>
    {because === null ? null : <p className="mt-1 text-ink2">{because}</p>}
    {command === null ? null : <CommandLine command={command} />}
  </Panel>
)

/** When and by which change a finding was resolved. */
const Resolution = ({ finding, cloud }: { finding: FindingDetail; cloud: string | null }) => {
  const changeId = finding.events.findLast(({ kind }) => kind === 'closed')?.changeId ?? null
  return (
    <p role="status" className="mb-2 border-line border-b pb-2 font-[550] text-accent-ink">
      Resolved <Moment at={finding.closedAt} />
      {changeId === null ? null : (
        <>
          {' by '}
          <Link href={changePath({ cloud, id: changeId })} className="text-accent-ink hover:underline">
            change {changeId}
          </Link>
        </>
      )}
      . <span className="font-normal text-ink2">The text below is from the last time it was found.</span>
    </p>
  )
}

const Lead = ({ finding, cloud }: { finding: FindingDetail; cloud: string | null }) => (
  <section
    aria-label="Finding"
    className={classNames(
      'rounded-panel border border-line bg-panel px-4 py-3.5',
      finding.state === 'closed' && 'text-ink2',
    )}
  >
    {finding.state === 'closed' ? <Resolution finding={finding} cloud={cloud} /> : null}
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <SeverityMark finding={finding} />
      <SubjectLink subject={finding.subject} cloud={cloud} />
    </div>
    <h2 className="mt-1 mb-1.5 break-words font-semibold text-lead">
      <TimedText text={findingSentence(finding)} />
    </h2>
    <p>{finding.consequence}</p>
  </section>
)

const Detail = ({ finding, cloud }: { finding: FindingDetail; cloud: string | null }) => {
  const silentHosts = useSilentHosts()
  return (
    <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_330px]">
      <div className="flex min-w-0 flex-col gap-3">
        <Lead finding={finding} cloud={cloud} />
        {finding.state === 'closed' ? null : (
          <NextStepPanel
            nextStep={finding.nextStep}
            command={finding.command}
            because={repairOf(finding, cloud) === null ? null : silentRefusalOf(finding, silentHosts)}
          />
        )}
        <EvidencePanel finding={finding} />
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <StatusPanel finding={finding} />
        <HistoryPanel events={finding.events} cloud={cloud} />
      </div>
    </div>
  )
}

const Pending = () => (
  <div role="status" aria-label="Loading the finding" className="flex flex-col gap-3">
    <Skeleton className="h-28" />
    <Skeleton className="h-24" />
    <Skeleton className="h-44" />
  </div>
)

/** One finding: what it means, what to do, the value of each source, and its history. */
export const FindingPage = ({ id }: { id: number }) => {
  const { cloud } = useCloud()
  const query = useQuery(findingDetailOptions({ id }))
  const { data, error, isPending } = query
  const isMissing = isNotFound(error)
  return (
    <>
      <PageHeader
        title={`Finding ${id}`}
        sub={
          data === undefined ? undefined : (
            <Link
              href={findingsPath({ cloud, search: { code: data.code } })}
              className="hover:text-ink hover:underline"
            >
              {data.title}
            </Link>
          )
        }
        actions={data === undefined ? undefined : <FindingActions finding={data} cloud={cloud} />}
      />
      {isPending && error === null ? <Pending /> : null}
      <SubjectProblem
        query={query}
        subject="finding"
        all={{ href: findingsPath({ cloud }), label: 'All findings' }}
        what="The finding"
      />
      {data === undefined || isMissing ? null : <Detail finding={data} cloud={cloud} />}
    </>
  )
}

'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { SubjectProblem } from '@/components/shell/subject-problem'
import { TimedText } from '@/components/shell/timed-text'
import { useCloud } from '@/components/shell/use-cloud'
import { useSilentHosts } from '@/components/shell/use-silent-hosts'
import { Skeleton } from '@/components/ui/skeleton'
import { isNotFound } from '@/lib/api/client'
import { findingDetailOptions } from '@/lib/api/findings'
import type { FindingDetail } from '@/lib/schemas/api/finding'
import { classNames } from '@/lib/util/class-names'
import { changePath, findingsPath } from '@/lib/util/paths'
import { EvidencePanel } from './evidence-panel'
import { FindingActions } from './finding-actions'
import { findingSentence } from './finding-words'
import { LifePanel } from './life-panel'
import { NextStepPanel } from './next-step-panel'
import { repairOf, silentRefusalOf } from './repair-of'
import { SeverityMark } from './severity-mark'
import { StandingPanel } from './standing-panel'
import { SubjectLink } from './subject-link'

/** When and by which change a finding was resolved. */
const Resolution = ({ finding, cloud }: { finding: FindingDetail; cloud: string | null }) => {
  const changeId = finding.events.findLast(({ kind }) => kind === 'closed')?.changeId ?? null
  return (
    <p role="status" className="mb-2 border-line border-b pb-2 font-[550]">
      Resolved <Moment at={finding.closedAt} />
      {changeId === null ? null : (
        <>
          {' by '}
          <Link href={changePath({ cloud, id: changeId })} className="text-accent-ink hover:underline">
            change {changeId}
          </Link>
        </>
      )}
      . The text below is from the last time it was found.
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
      <SeverityMark severity={finding.severity} />
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
            repair={repairOf(finding, cloud)}
            because={silentRefusalOf(finding, silentHosts)}
          />
        )}
        <EvidencePanel finding={finding} />
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <StandingPanel finding={finding} />
        <LifePanel events={finding.events} cloud={cloud} />
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
        actions={data === undefined ? undefined : <FindingActions finding={data} />}
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

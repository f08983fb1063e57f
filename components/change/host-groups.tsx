'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Moment } from '@/components/shell/moment'
import { MoreRows, useMoreRows } from '@/components/ui/more-rows'
import { SkeletonRows } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Tag } from '@/components/ui/tag'
import { changeStepsOptions } from '@/lib/api/changes'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { formatCount, formatNoun } from '@/lib/util/format'
import { STEP_STATE_TONES } from './change-labels'
import { StepList } from './step-list'

type Group = ChangeDetail['hosts'][number]
type Props = { change: ChangeDetail; cloud: string | null }

/** Groups drawn at first, and with each press more. */
const PAGE = 50

const nameOf = ({ host }: Group): string => host ?? 'Steps on no host'

/** The steps of an open group. They load and fail on their own. */
const GroupSteps = ({ change, cloud, group }: Props & { group: Group }) => {
  const { host, changedAt } = group
  const query = useInfiniteQuery(changeStepsOptions({ id: change.id, host, changedAt }))
  const { data, error, isPending, isFetching, refetch, fetchNextPage, hasNextPage } = query
  if (error !== null && data === undefined)
    return (
      <ErrorState
        title="The steps could not be loaded"
        error={error}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    )
  if (isPending) return <SkeletonRows rows={3} label="Loading the steps" />
  const steps = data.pages.flatMap((page) => page.steps)
  return (
    <>
      <StepList change={change} steps={steps} cloud={cloud} label={`Steps of ${nameOf(group)}`} />
      <MoreRows
        shown={steps.length}
        total={group.steps}
        onMore={hasNextPage ? () => void fetchNextPage() : null}
      />
    </>
  )
}

const GroupRow = ({ change, cloud, group, isCurrent }: Props & { group: Group; isCurrent: boolean }) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <li className="border-line2 border-b last:border-b-0">
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className="cursor-pointer px-3.5 py-2 -outline-offset-2 hover:bg-line2">
          <span className="inline-flex flex-wrap items-baseline gap-x-2">
            <b className="font-[550] wrap-anywhere">{nameOf(group)}</b>
            <Tag tone={group.ended === group.steps ? 'accent' : 'quiet'}>
              {group.ended} of {group.steps}
            </Tag>
            {group.state === null ? null : <Tag tone={STEP_STATE_TONES[group.state]}>{group.state}</Tag>}
            {isCurrent ? <Tag tone="accent">current</Tag> : null}
            {group.changedAt === null ? null : (
              <span className="text-ink3 text-small">
                <Moment at={group.changedAt} />
              </span>
            )}
          </span>
        </summary>
        {isOpen ? (
          <div className="px-3.5 pb-3">
            <GroupSteps change={change} cloud={cloud} group={group} />
          </div>
        ) : null}
      </details>
    </li>
  )
}

/** The steps of a large change by host, that of the current step first; those of an open host are loaded. */
export const HostGroups = ({ change, cloud }: Props) => {
  const current = change.currentStep
  const isCurrent = ({ host }: Group): boolean => current !== null && host === current.host
  const groups = [...change.hosts.filter(isCurrent), ...change.hosts.filter((group) => !isCurrent(group))]
  const { first, more } = useMoreRows(groups, PAGE)
  const hosts = change.hosts.filter(({ host }) => host !== null)
  const done = hosts.filter(({ steps, ended }) => steps === ended).length
  return (
    <section aria-label="Steps by host">
      {hosts.length === 0 ? null : (
        <p className="mb-1.5 text-ink2">
          All steps are complete on {formatCount(done)} of {formatNoun(hosts.length, 'host')}.
        </p>
      )}
      <ol aria-label="Hosts" className="overflow-hidden rounded-panel border border-line bg-panel">
        {first.map((group) => (
          <GroupRow
            key={group.host ?? ''}
            change={change}
            cloud={cloud}
            group={group}
            isCurrent={isCurrent(group)}
          />
        ))}
      </ol>
      {more}
    </section>
  )
}

'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Moment } from '@/components/shell/moment'
import { MoreRows, useMoreRows } from '@/components/ui/more-rows'
import { SkeletonRows } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { Tag } from '@/components/ui/tag'
import { changeStepsOptions } from '@/lib/api/changes'
import { phaseOfStep, type StepPhase } from '@/lib/domain/plans/step-phase'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { PHASE_LABELS, STEP_STATE_TONES } from './change-labels'
import { StepList } from './step-list'

type Props = { change: ChangeDetail; cloud: string | null; phase: StepPhase }

/** A host with the steps of a phase in numbers. */
type Group = Omit<ChangeDetail['hosts'][number], 'phases'>

/** Groups drawn at first, and with each press more. */
const PAGE = 50

const nameOf = ({ host }: Group): string => host ?? 'Steps on no host'

/** The steps of an open group. They load and fail on their own. */
const GroupSteps = ({ change, cloud, phase, group }: Props & { group: Group }) => {
  const { host, changedAt } = group
  const query = useInfiniteQuery(changeStepsOptions({ id: change.id, host, phase, changedAt }))
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
      <StepList
        change={change}
        steps={steps}
        cloud={cloud}
        label={`${PHASE_LABELS[phase]}: steps of ${nameOf(group)}`}
      />
      <MoreRows
        shown={steps.length}
        total={group.steps}
        onMore={hasNextPage ? () => void fetchNextPage() : null}
      />
    </>
  )
}

const GroupRow = ({
  change,
  cloud,
  phase,
  group,
  isCurrent,
}: Props & { group: Group; isCurrent: boolean }) => {
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
            <GroupSteps change={change} cloud={cloud} phase={phase} group={group} />
          </div>
        ) : null}
      </details>
    </li>
  )
}

/** The hosts that have steps in a phase of a large change, that of the current step first; the steps of an open host are loaded. */
export const HostGroups = ({ change, cloud, phase }: Props) => {
  const current = change.currentStep
  const isCurrent = ({ host }: Group): boolean =>
    current !== null && host === current.host && phaseOfStep(current) === phase
  const all = change.hosts.flatMap(({ host, changedAt, phases }): Group[] =>
    phases.flatMap(({ phase: name, ...numbers }) =>
      name === phase ? [{ host, changedAt, ...numbers }] : [],
    ),
  )
  const groups = [...all.filter(isCurrent), ...all.filter((group) => !isCurrent(group))]
  const { first, more } = useMoreRows(groups, PAGE)
  return (
    <>
      <ol aria-label={`Hosts: ${PHASE_LABELS[phase]}`} className="border-line2 border-t">
        {first.map((group) => (
          <GroupRow
            key={group.host ?? ''}
            change={change}
            cloud={cloud}
            phase={phase}
            group={group}
            isCurrent={isCurrent(group)}
          />
        ))}
      </ol>
      {more === null ? null : <div className="px-3.5 pb-2">{more}</div>}
    </>
  )
}

'use client'

import { useQuery } from '@tanstack/react-query'
import { parseAsString, useQueryStates } from 'nuqs'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { changePlanOptions } from '@/lib/api/changes'
import type { ChangePlan } from '@/lib/schemas/api/change'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import { formatNoun } from '@/lib/util/format'
import { OrphansMeaning } from './orphans-meaning'
import { PlannedSteps } from './planned-steps'
import { LeftAlone, TouchedPgpus } from './preview-panels'
import { readGpus } from './read-gpus'
import { SavePlan } from './save-plan'

/** As lib/util/paths newOrphansPath writes them. */
const newOrphansParams = { gpus: parseAsString.withDefault('') }

const NothingToDo = ({ preview }: { preview: ChangePlan['preview'] }) => (
  <EmptyState title={preview.refusals.length === 0 ? 'There is nothing to do' : 'Nothing can be removed'}>
    {preview.refusals.length === 0
      ? 'No mdev is left over: each is in use, or of the type that nova.conf gives its pGPU.'
      : 'Each mdev stays for the reason that stands under “Left alone”. Nothing was touched.'}
  </EmptyState>
)

const Plan = ({ input }: { input: PlanChange }) => {
  const { cloud } = useCloud()
  const { data, error, isPending, isFetching, refetch } = useQuery(changePlanOptions(input))
  if (error !== null)
    return (
      <ErrorState
        title="The plan could not be made"
        error={error}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    )
  if (isPending) return <SkeletonRows rows={6} label="The plan is being made" />
  const { steps, preview } = data
  return (
    <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_330px]">
      <div className="flex min-w-0 flex-col gap-3">
        <SavePlan input={input} stepCount={steps.length} />
        {steps.length === 0 ? <NothingToDo preview={preview} /> : <PlannedSteps steps={steps} />}
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <OrphansMeaning steps={steps} />
        <TouchedPgpus preview={preview} cloud={cloud} unchangedWords="have no orphans." />
        <LeftAlone refusals={preview.refusals} cloud={cloud} />
      </div>
    </div>
  )
}

/** Prepares the removal of orphan mdevs, from chosen pGPUs or from the whole fleet. The address holds what was chosen. */
export const NewOrphansPage = () => {
  const { cloud } = useCloud()
  const [{ gpus }] = useQueryStates(newOrphansParams)
  const chosen = readGpus(gpus)
  return (
    <>
      <PageHeader
        title="Remove orphan mdevs"
        sub={chosen.length === 0 ? 'of the whole fleet' : formatNoun(chosen.length, 'pGPU')}
      />
      <Plan input={{ cloud, kind: 'orphans', gpus: chosen.length === 0 ? 'all' : chosen }} />
    </>
  )
}

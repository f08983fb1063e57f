'use client'

import { parseAsString, useQueryStates } from 'nuqs'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { EmptyState } from '@/components/ui/states'
import type { ChangePlan } from '@/lib/schemas/api/change'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import { chosenGpus, chosenText } from './new-plan-params'
import { OrphansMeaning } from './orphans-meaning'
import { PlanView } from './plan-view'
import { PlannedSteps } from './planned-steps'
import { LeftAlone, TouchedPgpus } from './preview-panels'
import { readGpus } from './read-gpus'

/** As lib/util/paths newOrphansPath writes them. */
const newOrphansParams = { gpus: parseAsString.withDefault(''), filter: parseAsString.withDefault('') }

const NothingToDo = ({ preview }: { preview: ChangePlan['preview'] }) => (
  <EmptyState title={preview.refusals.length === 0 ? 'No changes needed' : 'No mdev can be removed'}>
    {preview.refusals.length === 0
      ? 'No orphaned mdevs: each mdev is in use or has the type that nova.conf configures for its pGPU.'
      : 'Each mdev is listed under “Skipped”, with the reason. Nothing was changed.'}
  </EmptyState>
)

const Plan = ({ input }: { input: PlanChange }) => {
  const { cloud } = useCloud()
  return (
    <PlanView
      input={input}
      main={({ preview, ...plan }) =>
        plan.stepCount === 0 ? <NothingToDo preview={preview} /> : <PlannedSteps plan={plan} />
      }
      side={({ tasks, preview }) => (
        <>
          <OrphansMeaning tasks={tasks} />
          <TouchedPgpus preview={preview} cloud={cloud} unchangedText="have no orphans." />
          <LeftAlone refusals={preview.refusals} cloud={cloud} />
        </>
      )}
    />
  )
}

/** Prepares the removal of orphaned mdevs, from chosen pGPUs or from the whole fleet. The address holds what was chosen. */
export const NewOrphansPage = () => {
  const { cloud } = useCloud()
  const [params] = useQueryStates(newOrphansParams)
  const isAll = readGpus(params.gpus).length === 0 && params.filter === ''
  return (
    <>
      <PageHeader title="Remove orphaned mdevs" sub={isAll ? 'on all hosts' : chosenText(params)} />
      <Plan input={{ cloud, kind: 'orphans', gpus: isAll ? 'all' : chosenGpus(params) }} />
    </>
  )
}

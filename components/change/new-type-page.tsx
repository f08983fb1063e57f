'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { parseAsBoolean, parseAsString, useQueryStates } from 'nuqs'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { buttonStyle } from '@/components/ui/button'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/states'
import { changePlanOptions } from '@/lib/api/changes'
import type { ChangePlan } from '@/lib/schemas/api/change'
import type { PlanTypeChange } from '@/lib/schemas/api/change-inputs'
import { formatNoun } from '@/lib/util/format'
import { gpusPath } from '@/lib/util/paths'
import { ConfigPanel } from './config-panel'
import { ConfigTexts } from './config-texts'
import { PlannedSteps } from './planned-steps'
import { LeftAlone } from './preview-panels'
import { readGpus } from './read-gpus'
import { SavePlan } from './save-plan'
import { StuckServersPanel } from './stuck-servers-panel'
import { TypeBars } from './type-bars'
import { TypeChoice } from './type-choice'
import { TypeMeaningPanels } from './type-meaning-panels'

/** As lib/util/paths newTypePath writes them. */
const newTypeParams = {
  gpus: parseAsString.withDefault(''),
  type: parseAsString.withDefault(''),
  class: parseAsString.withDefault(''),
  loss: parseAsBoolean.withDefault(false),
}

const NothingToDo = ({ preview }: { preview: ChangePlan['preview'] }) => (
  <EmptyState title={preview.refusals.length === 0 ? 'There is nothing to do' : 'Nothing can be changed'}>
    {preview.refusals.length === 0
      ? 'Every chosen pGPU is on the type already.'
      : 'Each pGPU is refused for the reason that stands under “Left alone”. Nothing was touched.'}
  </EmptyState>
)

const PlanBody = ({
  plan,
  input,
  cloud,
}: {
  plan: ChangePlan
  input: PlanTypeChange
  cloud: string | null
}) => {
  const { steps, preview } = plan
  const change = preview.typeChange ?? null
  return (
    <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_330px]">
      <div className="flex min-w-0 flex-col gap-3">
        <SavePlan input={input} stepCount={steps.length} />
        {steps.length === 0 ? <NothingToDo preview={preview} /> : null}
        {change === null ? null : (
          <>
            <TypeBars change={change} cloud={cloud} />
            <StuckServersPanel servers={change.servers} />
            <ConfigPanel hosts={change.hosts} />
            <ConfigTexts change={change} />
          </>
        )}
        {steps.length === 0 ? null : <PlannedSteps steps={steps} />}
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <LeftAlone refusals={preview.refusals} cloud={cloud} />
        {change === null ? null : <TypeMeaningPanels change={change} />}
      </div>
    </div>
  )
}

const Plan = ({ input }: { input: PlanTypeChange }) => {
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
  if (isPending) return <SkeletonRows rows={10} label="The plan is being made" />
  return <PlanBody plan={data} input={input} cloud={cloud} />
}

const NoneChosen = ({ cloud }: { cloud: string | null }) => (
  <EmptyState
    title="No pGPU is chosen"
    action={
      <Link href={gpusPath({ cloud })} className={buttonStyle({ variant: 'main' })}>
        Choose pGPUs
      </Link>
    }
  >
    Select pGPUs in the list, those of a host or of an aggregate too, and press “Change type”.
  </EmptyState>
)

/** Prepares a change of the vGPU type. The address holds what was chosen, so it can be sent to a colleague. */
export const NewTypePage = () => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(newTypeParams)
  const gpus = readGpus(params.gpus)
  const [first] = gpus
  return (
    <>
      <PageHeader
        title="Change the vGPU type"
        sub={first === undefined ? undefined : formatNoun(gpus.length, 'pGPU')}
      />
      {first === undefined ? (
        <NoneChosen cloud={cloud} />
      ) : (
        <div className="flex flex-col gap-3">
          <TypeChoice
            gpu={first}
            wish={{
              type: params.type,
              resourceClass: params.class,
              isFlavorLossAccepted: params.loss,
            }}
            onWish={({ type, resourceClass, isFlavorLossAccepted }) =>
              void setParams({ type, class: resourceClass, loss: isFlavorLossAccepted })
            }
          />
          {params.type === '' ? (
            <p className="text-ink2">Choose the wanted type: the plan is made from what is known now.</p>
          ) : (
            <Plan
              input={{
                cloud,
                kind: 'type',
                gpus,
                typeId: params.type,
                resourceClass: params.class === '' ? null : params.class,
                isFlavorLossAccepted: params.loss,
              }}
            />
          )}
        </div>
      )}
    </>
  )
}

'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { useCloud } from '@/components/shell/use-cloud'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { SkeletonRows } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { toast } from '@/components/ui/toast-store'
import { Tooltip } from '@/components/ui/tooltip'
import { changePlanOptions, createAndStartChangeOptions, createChangeOptions } from '@/lib/api/changes'
import type { ChangePlan, PreviewOf } from '@/lib/schemas/api/change'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import { formatNoun } from '@/lib/util/format'
import { changePath } from '@/lib/util/paths'

/** Saves a plan for review, and shows its number of steps. A plan with one step can be saved and started in one action. */
const SavePlan = ({ input, stepCount }: { input: PlanChange; stepCount: number }) => {
  const router = useRouter()
  const { cloud } = useCloud()
  const refusal = useRefusal('change.plan')
  const runRefusal = useRefusal('change.run')
  const create = useMutation(createChangeOptions())
  const createAndStart = useMutation(createAndStartChangeOptions())
  const isPending = create.isPending || createAndStart.isPending
  const isOneStep = stepCount === 1
  const save = () =>
    create.mutate(input, {
      onSuccess: ({ id }) => router.push(changePath({ cloud, id })),
      onError: (err) => toast.error('The plan was not saved.', err.message),
    })
  const saveAndStart = () =>
    createAndStart.mutate(input, {
      onSuccess: ({ id, startError }) => {
        if (startError !== null) toast.error('The plan is saved, but it was not started.', startError)
        router.push(changePath({ cloud, id }))
      },
      onError: (err) => toast.error('The plan was not saved.', err.message),
    })
  const why = refusal ?? (stepCount === 0 ? 'The plan has no steps.' : null)
  return (
    <div className="flex flex-wrap items-center gap-3">
      {isOneStep ? (
        <Tooltip content={why ?? runRefusal}>
          <Button
            variant="main"
            isUnavailable={(why ?? runRefusal) !== null || isPending}
            onClick={saveAndStart}
          >
            Save and start
          </Button>
        </Tooltip>
      ) : null}
      <Tooltip content={why}>
        <Button
          variant={isOneStep ? 'plain' : 'main'}
          isUnavailable={why !== null || isPending}
          onClick={save}
        >
          Save plan
        </Button>
      </Tooltip>
      <p className="text-ink2">
        {formatNoun(stepCount, 'step')}.{' '}
        {isOneStep
          ? 'A saved plan can be reviewed, restricted and started later.'
          : 'Nothing is written until you select “Start” on the next page.'}
      </p>
    </div>
  )
}

type PlanOf<Input extends PlanChange> = ChangePlan & { preview: PreviewOf<Input['kind']> }

const isOf = <Input extends PlanChange>(plan: ChangePlan, { kind }: Input): plan is PlanOf<Input> =>
  plan.preview.kind === kind

const WRONG_KIND = new Error('The console returned a plan for a different kind of change. Reload the page.')

/** A plan as it would be saved: the steps on the left below the button, what they mean on the right. */
export const PlanView = <Input extends PlanChange>({
  input,
  main,
  side,
}: {
  input: Input
  main: (plan: PlanOf<Input>) => ReactNode
  side: (plan: PlanOf<Input>) => ReactNode
}) => {
  const { data, error, isPending, isFetching, refetch } = useQuery(changePlanOptions(input))
  if (isPending) return <SkeletonRows rows={6} label="Loading the plan" />
  if (error !== null || !isOf(data, input))
    return (
      <ErrorState
        title="The plan could not be created"
        error={error ?? WRONG_KIND}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    )
  return (
    <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_330px]">
      <div className="flex min-w-0 flex-col gap-3">
        <SavePlan input={input} stepCount={data.stepCount} />
        {main(data)}
      </div>
      <div className="flex min-w-0 flex-col gap-3">{side(data)}</div>
    </div>
  )
}

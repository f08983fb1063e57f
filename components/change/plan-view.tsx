'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { SkeletonRows } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/states'
import { changePlanOptions } from '@/lib/api/changes'
import type { ChangePlan } from '@/lib/schemas/api/change'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import { SavePlan } from './save-plan'

/** A plan as it would be saved: the steps on the left below the button, what they mean on the right. */
export const PlanView = ({
  input,
  main,
  side,
}: {
  input: PlanChange
  main: (plan: ChangePlan) => ReactNode
  side: (plan: ChangePlan) => ReactNode
}) => {
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
  return (
    <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_330px]">
      <div className="flex min-w-0 flex-col gap-3">
        <SavePlan input={input} stepCount={data.steps.length} />
        {main(data)}
      </div>
      <div className="flex min-w-0 flex-col gap-3">{side(data)}</div>
    </div>
  )
}

'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import { PlanView } from '@/components/change/plan-view'
import { PlannedSteps } from '@/components/change/planned-steps'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { buttonStyle } from '@/components/ui/button'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { isNotFound } from '@/lib/api/client'
import { gpuHeadroomOptions } from '@/lib/api/gpu-headroom'
import type { PlanReservation } from '@/lib/schemas/api/change-inputs'
import { gpuHeadroomPath } from '@/lib/util/paths'
import { ReservationForm } from './reservation-form'
import { ReservationConfigs, ReservationEffects, ReservationHosts } from './reservation-meaning'
import { inputOf, reservationParams } from './reservation-params'

const Plan = ({ input }: { input: PlanReservation['input'] }) => {
  const { cloud } = useCloud()
  return (
    <PlanView
      input={{ cloud, kind: 'fence', input }}
      main={({ preview, ...plan }) => (
        <>
          {preview.fence.refusal === null ? null : (
            <EmptyState title="This method is not available">{preview.fence.refusal}</EmptyState>
          )}
          <ReservationHosts reservation={preview.fence} />
          <ReservationConfigs reservation={preview.fence} />
          {plan.stepCount === 0 ? null : <PlannedSteps plan={plan} />}
        </>
      )}
      side={({ preview }) => <ReservationEffects reservation={preview.fence} />}
    />
  )
}

const NoHost = ({ cloud, isRequested }: { cloud: string | null; isRequested: boolean }) => (
  <EmptyState
    title={isRequested ? 'No such GPU host reports' : 'No host selected'}
    action={
      <Link href={gpuHeadroomPath({ cloud })} className={buttonStyle({ variant: 'main' })}>
        Headroom for GPUs
      </Link>
    }
  >
    The list shows which hosts have no headroom. Start from the page of a host.
  </EmptyState>
)

/** Prepares a reservation of capacity for GPU servers on a host. The search params contain the selection. */
export const NewReservationPage = () => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(reservationParams)
  const isChosen = params.host !== ''
  const query = useQuery({ ...gpuHeadroomOptions({ cloud, host: params.host }), enabled: isChosen })
  const { data, error, isLoading } = query
  const isMissing = !isChosen || isNotFound(error)
  const [headroom] = data?.hosts ?? []
  const input = inputOf(params)
  return (
    <>
      <PageHeader
        title="Reserve capacity for GPU servers"
        sub={params.host === '' ? undefined : `on ${params.host}`}
      />
      {isMissing ? null : <LoadProblem query={query} what="The headroom" />}
      {isLoading ? <SkeletonRows rows={8} label="Loading the headroom" /> : null}
      {isMissing || (data !== undefined && headroom === undefined) ? (
        <NoHost cloud={cloud} isRequested={isChosen} />
      ) : null}
      {data === undefined || headroom === undefined ? null : (
        <div className="flex flex-col gap-3">
          <ReservationForm
            key={params.host}
            params={params}
            headroom={headroom}
            data={data}
            onChange={(changed) => void setParams(changed)}
          />
          {input === null ? (
            <p className="text-ink2">Enter both CPU sets and select “Create plan”.</p>
          ) : (
            <Plan input={input} />
          )}
        </div>
      )}
    </>
  )
}

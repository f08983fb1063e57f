import Link from 'next/link'
import { useCloud } from '@/components/shell/use-cloud'
import { buttonStyle } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/states'
import type { PlanPassthrough, PlanTypeChange } from '@/lib/schemas/api/change-inputs'
import { gpusPath } from '@/lib/util/paths'
import { ConfigPanel } from './config-panel'
import { ConfigTexts } from './config-texts'
import { PlanView } from './plan-view'
import { PlannedSteps } from './planned-steps'
import { LeftAlone } from './preview-panels'
import { StuckServersPanel } from './stuck-servers-panel'
import { TypeBars } from './type-bars'
import { TypeMeaningPanels } from './type-meaning-panels'

/** The plan of a change of what cards are: their vGPU type, or whether they go out whole. */
export const CardPlan = ({
  input,
  nothing,
}: {
  input: PlanTypeChange | PlanPassthrough
  /** Why no step is needed. */
  nothing: string
}) => {
  const { cloud } = useCloud()
  return (
    <PlanView
      input={input}
      main={({ preview: { refusals, typeChange }, ...plan }) => (
        <>
          {plan.stepCount > 0 ? null : (
            <EmptyState
              title={refusals.length === 0 ? 'There is nothing to do' : 'Nothing can be changed'}
              action={
                <Link href={gpusPath({ cloud })} className={buttonStyle()}>
                  Choose other pGPUs
                </Link>
              }
            >
              {refusals.length === 0
                ? nothing
                : 'Each pGPU is listed under “Skipped”, with the reason. Nothing was changed.'}
            </EmptyState>
          )}
          {typeChange === null ? null : (
            <>
              <TypeBars change={typeChange} cloud={cloud} />
              <StuckServersPanel change={typeChange} />
              <ConfigPanel change={typeChange} />
              <ConfigTexts change={typeChange} />
            </>
          )}
          {plan.stepCount === 0 ? null : <PlannedSteps plan={plan} />}
        </>
      )}
      side={({ preview: { refusals, typeChange } }) => (
        <>
          <LeftAlone refusals={refusals} cloud={cloud} />
          {typeChange === null ? null : <TypeMeaningPanels change={typeChange} />}
        </>
      )}
    />
  )
}

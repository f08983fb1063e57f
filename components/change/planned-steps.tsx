import type { ChangePlan } from '@/lib/schemas/api/change'
import { formatNoun } from '@/lib/util/format'
import { StepRow } from './step-row'

/** Which steps of a large plan are shown. */
const shownText = ({
  steps,
  stepCount,
  hosts,
}: Pick<ChangePlan, 'steps' | 'stepCount' | 'hosts'>): string => {
  const onHosts = hosts.filter(({ host }) => host !== null)
  const [first] = onHosts
  const what =
    onHosts.length > 1
      ? `the steps of ${first?.host}, the first of ${formatNoun(onHosts.length, 'host')}`
      : `the first ${steps.length}`
  return `The plan has ${formatNoun(stepCount, 'step')}. This page shows ${what}. The page of the saved plan lists all of them.`
}

/** The steps of a plan that is not saved yet; of a large plan an excerpt. */
export const PlannedSteps = ({ plan }: { plan: Pick<ChangePlan, 'steps' | 'stepCount' | 'hosts'> }) => (
  <>
    {plan.steps.length < plan.stepCount ? <p className="text-ink2">{shownText(plan)}</p> : null}
    <ol aria-label="Steps" className="overflow-hidden rounded-panel border border-line bg-panel">
      {plan.steps.map((step) => (
        <StepRow
          key={step.id}
          step={{
            ...step,
            state: 'pending',
            isUndo: false,
            hasEffect: false,
            note: null,
            wayOut: null,
            writerChangeId: null,
            answer: null,
            changedAt: null,
          }}
          changeId={null}
          isByHand={false}
          isInHand={false}
        />
      ))}
    </ol>
  </>
)

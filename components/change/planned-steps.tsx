import type { ChangePlan } from '@/lib/schemas/api/change'
import { StepRow } from './step-row'

/** The steps of a plan that is not saved yet. */
export const PlannedSteps = ({ steps }: { steps: ChangePlan['steps'] }) => (
  <ol aria-label="Steps" className="overflow-hidden rounded-panel border border-line bg-panel">
    {steps.map((step, position) => (
      <StepRow
        key={step.id}
        step={{
          ...step,
          position,
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
)

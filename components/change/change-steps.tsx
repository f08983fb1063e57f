import type { ChangeDetail } from '@/lib/schemas/api/change'
import { HostGroups } from './host-groups'
import { StepList } from './step-list'

/** The steps of a change: in one list, or in a large change by host, with the current step first. */
export const ChangeSteps = ({ change, cloud }: { change: ChangeDetail; cloud: string | null }) =>
  change.steps.length === change.stepCount ? (
    <StepList change={change} steps={change.steps} cloud={cloud} label="Steps" />
  ) : (
    <div className="flex flex-col gap-3">
      {change.currentStep === null ? null : (
        <StepList change={change} steps={[change.currentStep]} cloud={cloud} label="Current step" />
      )}
      <HostGroups change={change} cloud={cloud} />
    </div>
  )

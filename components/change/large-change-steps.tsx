import { useState } from 'react'
import { phaseOfStep, type StepPhase } from '@/lib/domain/plans/step-phase'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import { STEP_PHASES } from '@/lib/schemas/choices'
import { formatCount, formatNoun } from '@/lib/util/format'
import { HostGroups } from './host-groups'
import { PhaseGroup } from './phase-group'

type Props = { change: ChangeDetail; cloud: string | null }

const Phase = ({ change, cloud, phase }: Props & { phase: StepPhase }) => {
  const isCurrent = change.currentStep !== null && phaseOfStep(change.currentStep) === phase
  // The hosts of a collapsed phase are not drawn: a page has many.
  const [isOpen, setIsOpen] = useState(isCurrent)
  const own = change.hosts.flatMap(({ phases }) => phases.filter((each) => each.phase === phase))
  if (own.length === 0) return null
  return (
    <PhaseGroup
      phase={phase}
      steps={own.reduce((sum, { steps }) => sum + steps, 0)}
      ended={own.reduce((sum, { ended }) => sum + ended, 0)}
      changedAt={null}
      isCurrent={isCurrent || own.some(({ state }) => state !== null)}
      isExpanded={isCurrent}
      onToggle={setIsOpen}
    >
      {isOpen ? <HostGroups change={change} cloud={cloud} phase={phase} /> : null}
    </PhaseGroup>
  )
}

/** The steps of a large change by phase and host. The current phase is expanded. */
export const LargeChangeSteps = ({ change, cloud }: Props) => {
  const hosts = change.hosts.filter(({ host }) => host !== null)
  const done = hosts.filter(({ steps, ended }) => steps === ended).length
  return (
    <section aria-label="Steps by phase">
      {hosts.length === 0 ? null : (
        <p className="mb-1.5 text-ink2">
          All steps are complete on {formatCount(done)} of {formatNoun(hosts.length, 'host')}.
        </p>
      )}
      <ol aria-label="Phases" className="overflow-hidden rounded-panel border border-line bg-panel">
        {STEP_PHASES.map((phase) => (
          <Phase key={phase} change={change} cloud={cloud} phase={phase} />
        ))}
      </ol>
    </section>
  )
}

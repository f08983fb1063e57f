import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Moment } from '@/components/shell/moment'
import { Tag } from '@/components/ui/tag'
import type { StepPhase } from '@/lib/domain/plans/step-phase'
import type { ChangeStep } from '@/lib/schemas/api/change-steps'
import { formatCount } from '@/lib/util/format'

const PHASE_LABELS: Readonly<Record<StepPhase, string>> = {
  prepare: 'Prepare',
  drain: 'Drain',
  reconfigure: 'Reconfigure',
  verify: 'Verify',
  enable: 'Enable',
}

/** In progress, or in need of attention. */
const OPEN_STATES: readonly ChangeStep['state'][] = ['failed', 'blocked', 'waiting', 'running']

const hasCurrentStep = (steps: readonly ChangeStep[], position: number | undefined): boolean =>
  steps.some((step) => step.position === position || OPEN_STATES.includes(step.state))

const latest = (steps: readonly ChangeStep[]): string | null =>
  steps
    .flatMap(({ changedAt }) => changedAt ?? [])
    .toSorted()
    .at(-1) ?? null

/** The steps of a phase with their count. While the change is active, only the current phase is expanded. */
export const PhaseGroup = ({
  phase,
  steps,
  current,
  isActive,
  children,
}: {
  phase: StepPhase
  steps: readonly ChangeStep[]
  /** The position of the current step. */
  current: number | undefined
  isActive: boolean
  children: ReactNode
}) => {
  const ended = steps.filter(({ state }) => state === 'done' || state === 'skipped').length
  const isCurrent = hasCurrentStep(steps, current)
  const at = latest(steps)
  return (
    <li className="border-line border-b last:border-b-0">
      <details open={!isActive || isCurrent}>
        <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-2 gap-y-0.5 bg-bg px-3.5 py-2 -outline-offset-2 hover:bg-line2">
          <span className="font-semibold">{PHASE_LABELS[phase]}</span>
          <Tag tone={isActive && isCurrent ? 'accent' : 'quiet'}>
            {ended === steps.length ? <Check size={11} aria-hidden strokeWidth={3} /> : null}
            {formatCount(ended)} of {formatCount(steps.length)}
          </Tag>
          <span className="ml-auto text-ink3 text-small">{at === null ? null : <Moment at={at} />}</span>
        </summary>
        <ol className="border-line2 border-t">{children}</ol>
      </details>
    </li>
  )
}

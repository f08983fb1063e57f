import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Moment } from '@/components/shell/moment'
import { Tag } from '@/components/ui/tag'
import type { StepPhase } from '@/lib/domain/plans/step-phase'
import { formatCount } from '@/lib/util/format'
import { PHASE_LABELS } from './change-labels'

/** A phase with the count of its steps, which are shown when it is expanded. */
export const PhaseGroup = ({
  phase,
  steps,
  ended,
  changedAt,
  isCurrent,
  isExpanded,
  onToggle,
  children,
}: {
  phase: StepPhase
  steps: number
  ended: number
  changedAt: string | null
  /** The change is in this phase. */
  isCurrent: boolean
  isExpanded: boolean
  onToggle?: (isExpanded: boolean) => void
  children: ReactNode
}) => (
  <li className="border-line border-b last:border-b-0">
    <details open={isExpanded} onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}>
      <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-2 gap-y-0.5 bg-bg px-3.5 py-2 -outline-offset-2 hover:bg-line2">
        <span className="font-semibold">{PHASE_LABELS[phase]}</span>
        <Tag tone={isCurrent ? 'accent' : 'quiet'}>
          {ended === steps ? <Check size={11} aria-hidden strokeWidth={3} /> : null}
          {formatCount(ended)} of {formatCount(steps)}
        </Tag>
        <span className="ml-auto text-ink3 text-small">
          {changedAt === null ? null : <Moment at={changedAt} />}
        </span>
      </summary>
      {children}
    </details>
  </li>
)

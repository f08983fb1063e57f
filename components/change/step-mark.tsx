import { Check, Minus, Undo2, X } from 'lucide-react'
import type { ChangeStep } from '@/lib/schemas/api/change'
import { classNames } from '@/lib/util/class-names'

const STYLES: Readonly<Record<ChangeStep['state'], string>> = {
  pending: 'border-line text-ink3',
  running: 'border-accent bg-accent2 text-accent-ink',
  waiting: 'border-accent bg-accent2 text-accent-ink',
  blocked: 'border-warn bg-warn2 text-warn',
  done: 'border-accent bg-accent text-on-accent',
  failed: 'border-bad bg-bad2 text-bad',
  undone: 'border-line bg-cell text-ink2',
  skipped: 'border-line border-dashed text-ink3',
}

const Sign = ({ step: { state, position } }: { step: ChangeStep }) => {
  if (state === 'done') return <Check size={12} aria-hidden strokeWidth={3} />
  if (state === 'failed') return <X size={12} aria-hidden strokeWidth={3} />
  if (state === 'undone') return <Undo2 size={11} aria-hidden />
  if (state === 'skipped') return <Minus size={12} aria-hidden />
  return <>{position + 1}</>
}

/** The number of a step, or the sign of what became of it. */
export const StepMark = ({ step }: { step: ChangeStep }) => (
  <span
    className={classNames(
      'inline-flex h-[19px] justify-self-start min-w-[19px] flex-none items-center justify-center rounded-full border-[1.5px] px-0.5 font-bold text-tiny',
      STYLES[step.state],
    )}
  >
    <Sign step={step} />
    <span className="sr-only"> Step {step.position + 1}</span>
  </span>
)

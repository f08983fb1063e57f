import type { ChangeState, StepState } from '@/lib/schemas/states'

/** `isUndo`: its last intent was to undo. `hasEffect`: a part of it can still be reverted. */
type StepStatus = { state: StepState; isUndo: boolean; hasEffect: boolean }

const OPEN: readonly StepState[] = ['running', 'waiting', 'blocked', 'failed']

/**
 * The step that a change is at: the first that has begun and not ended, on the way back the last; undefined: at none. Who
 * works by hand has several open at once, those of the way there still when the way back begins.
 */
export const stepInHand = <Step extends StepStatus>({
  state,
  steps,
}: {
  state: ChangeState
  steps: readonly Step[]
}): Step | undefined => {
  const isOpen = (step: Step): boolean => OPEN.includes(step.state)
  if (state === 'undoing')
    return (
      steps.findLast((step) => step.isUndo && isOpen(step)) ?? steps.findLast(({ hasEffect }) => hasEffect)
    )
  if (state !== 'running' && state !== 'stopped') return undefined
  return steps.find(isOpen) ?? steps.find((step) => step.state === 'pending' || step.state === 'undone')
}

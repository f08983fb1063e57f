import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { HeldPgpu } from '@/lib/domain/plans/host-steps/refuse'
import { addHosts } from './add-hosts'
import { changeTypes } from './change-types'
import { moveHosts, removeHosts } from './move-hosts'
import type { AppliedStep, StepOutcome, WhatIfState, WhatIfStep } from './types'

const apply = (state: WhatIfState, step: WhatIfStep, held: readonly HeldPgpu[]): AppliedStep => {
  switch (step.do) {
    case 'type':
      return changeTypes(state, step, held)
    case 'add':
      return addHosts(state, step)
    case 'remove':
      return removeHosts(state, step)
    case 'move':
      return moveHosts(state, step)
  }
}

/**
 * The fleet after the steps, applied in order, and the result of each. An impossible step is skipped, with the reason.
 * `held`: pGPUs of active changes.
 */
export const applySteps = (
  fleet: Fleet,
  steps: readonly WhatIfStep[],
  held: readonly HeldPgpu[],
): { fleet: Fleet; outcomes: StepOutcome[] } => {
  let state: WhatIfState = { fleet, added: new Set(), retyped: new Set() }
  const outcomes: StepOutcome[] = []
  for (const step of steps) {
    const applied = apply(state, step, held)
    state = applied.state
    outcomes.push(applied.outcome)
  }
  return { fleet: state.fleet, outcomes }
}

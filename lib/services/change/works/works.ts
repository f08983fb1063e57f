import 'server-only'
import type { StepTask } from '@/lib/domain/plans/types'
import { createTraitWork } from './create-trait'
import { setTraitsWork } from './set-traits'
import type { StepWork } from './step-work'

/** Every kind of step; a task without its work does not compile. */
const WORKS: { readonly [Kind in StepTask['kind']]: StepWork<Extract<StepTask, { kind: Kind }>> } = {
  'create-trait': createTraitWork,
  'set-traits': setTraitsWork,
}

/** The work of a task. */
export const workOf = (task: StepTask): StepWork<StepTask> =>
  // The table is closed over kinds; TypeScript can't follow that the kind picks the work of its own task.
  WORKS[task.kind] as StepWork<StepTask>

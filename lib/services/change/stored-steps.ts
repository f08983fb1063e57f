import 'server-only'
import type { PlannedStep } from '@/lib/domain/plans/types'
import { sh } from '@/lib/util/encode/shell'
import { storedText } from '@/lib/util/encode/stored'

/** The first version of the encoders in lib/util/encode. A step that was saved without it was planned before them. */
const ENCODERS = 1

/** JSON with plain texts in place of encoded ones. */
type Stored<T> = { [Key in keyof T]: Key extends 'command' | 'undoCommand' ? string : T[Key] }
export type StoredStep = Stored<Omit<PlannedStep, 'calls'>> & { calls: readonly string[]; encoders?: number }

/** Steps of a plan as they are saved. */
export const stepsToStore = (steps: readonly PlannedStep[]): StoredStep[] =>
  steps.map((step) => ({ ...step, encoders: ENCODERS }))

const PLAN_AGAIN = sh`printf '%s\\n' 'An earlier version of the console planned this step: plan the change again.' >&2; exit 1`

/**
 * A step as a planner made it. Guarantee: only saveChange writes steps, from plans whose types accept nothing but encoded
 * text. Commands of a step from before the encoders are withheld, since a reported text may run in them.
 */
export const storedStep = ({ encoders, ...step }: StoredStep): PlannedStep =>
  encoders === undefined
    ? { ...step, calls: [], command: PLAN_AGAIN, undoCommand: PLAN_AGAIN }
    : {
        ...step,
        calls: step.calls.map((call) => storedText(call)),
        command: storedText(step.command),
        undoCommand: storedText(step.undoCommand),
      }

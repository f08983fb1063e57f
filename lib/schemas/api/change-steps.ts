import * as z from 'zod/mini'
import { STEP_PHASES } from '../choices'
import { STEP_STATES } from '../states'
import { pageShape } from './page'

/** Steps in the answer for one change or plan. Those of a larger change are listed page by page. */
export const MAX_ANSWERED_STEPS = 100
/** Characters of the calls and commands in it. A step that writes 100 limits has 50,000. */
export const MAX_ANSWERED_CHARACTERS = 300_000

const doer = z.enum(['console', 'agent', 'operator'])

const plannedStep = {
  id: z.string(),
  position: z.int(),
  title: z.string(),
  /** The host that it acts on; null: none. */
  host: z.nullable(z.string()),
  doer,
  /** The literal API calls. */
  calls: z.array(z.string()),
  command: z.string(),
  undoCommand: z.string(),
  sees: z.string(),
  precondition: z.string(),
  check: z.string(),
  undo: z.string(),
}
export const plannedStepSchema = z.object(plannedStep)

const changeStepSchema = z.object({
  ...plannedStep,
  state: z.enum(STEP_STATES),
  /** Its last turn was to undo. */
  isUndo: z.boolean(),
  /** A roll back would revert a part of it. */
  hasEffect: z.boolean(),
  note: z.nullable(z.string()),
  wayOut: z.nullable(z.string()),
  /** The other change of the console that wrote what blocks the step. */
  writerChangeId: z.nullable(z.int()),
  answer: z.nullable(z.string()),
  changedAt: z.nullable(z.string()),
})
export type ChangeStep = z.infer<typeof changeStepSchema>

const stepNumbers = {
  steps: z.int(),
  /** Done or skipped. */
  ended: z.int(),
  /** The state of its step that needs attention first; null: none is in progress or stuck. */
  state: z.nullable(z.enum(['failed', 'blocked', 'waiting', 'running'])),
}

/** Steps of all kinds in numbers. */
export const stepSummary = {
  stepCount: z.int(),
  /** By host, in the order of their first steps. */
  hosts: z.array(
    z.object({
      /** Null: the steps that act on no host. */
      host: z.nullable(z.string()),
      ...stepNumbers,
      changedAt: z.nullable(z.string()),
      /** Its phases with steps, in their order. */
      phases: z.array(z.object({ phase: z.enum(STEP_PHASES), ...stepNumbers })),
    }),
  ),
  /** By kind and doer. */
  tasks: z.array(z.object({ kind: z.string(), doer, steps: z.int() })),
}
const stepSummarySchema = z.object(stepSummary)
export type StepSummary = z.infer<typeof stepSummarySchema>

export const changeProgressSteps = {
  ...stepSummary,
  /** The step that the change is at; null: at none. */
  currentStep: z.nullable(changeStepSchema),
  /** An estimate of the time that the steps left take, by earlier steps of their kinds; null: unknown, or the console runs none. */
  remainingSeconds: z.nullable(z.int()),
  /** Steps that a rollback would undo; null: none. */
  effects: z.nullable(z.object({ steps: z.int(), first: z.int(), last: z.int() })),
  /** All steps of a change with at most 100 and without long texts; empty for a larger change. */
  steps: z.array(changeStepSchema),
}

export const changeStepsSchema = z.object({ ...pageShape, steps: z.array(changeStepSchema) })
export type ChangeSteps = z.infer<typeof changeStepsSchema>

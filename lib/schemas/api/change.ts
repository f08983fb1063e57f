import * as z from '@/lib/schemas/mini'

const target = { host: z.string(), address: z.string() }

const changeStateSchema = z.enum(['planned', 'running', 'stopped', 'undoing', 'done', 'undone', 'dropped'])

/** What a plan promises beside its steps. */
const changePreviewSchema = z.object({
  /** pGPUs that the steps touch. */
  targets: z.array(z.object(target)),
  /** pGPUs that are left alone, and why. */
  refusals: z.array(z.object({ ...target, reason: z.string() })),
  /** pGPUs that are already as wanted. */
  unchanged: z.array(z.object(target)),
  /** pGPUs that a flavor matches, where that changes. */
  flavors: z.array(z.object({ flavorId: z.string(), name: z.string(), before: z.int(), after: z.int() })),
})

const plannedStep = {
  id: z.string(),
  title: z.string(),
  doer: z.enum(['console', 'agent', 'operator']),
  /** The literal API calls. */
  calls: z.array(z.string()),
  command: z.string(),
  undoCommand: z.string(),
  sees: z.string(),
  precondition: z.string(),
  check: z.string(),
  undo: z.string(),
}
const plannedStepSchema = z.object(plannedStep)

/** A plan that is not saved. */
export const changePlanSchema = z.object({
  cloud: z.string(),
  title: z.string(),
  preview: changePreviewSchema,
  steps: z.array(plannedStepSchema),
})
export type ChangePlan = z.infer<typeof changePlanSchema>

const changeStepSchema = z.object({
  ...plannedStep,
  position: z.int(),
  state: z.enum(['pending', 'running', 'waiting', 'blocked', 'done', 'failed', 'undone', 'skipped']),
  /** Its last turn was to undo. */
  isUndo: z.boolean(),
  /** Something of it is left that a roll back would take back. */
  hasEffect: z.boolean(),
  note: z.nullable(z.string()),
  wayOut: z.nullable(z.string()),
  answer: z.nullable(z.string()),
  changedAt: z.nullable(z.string()),
})
export type ChangeStep = z.infer<typeof changeStepSchema>

const changeFacts = {
  id: z.int(),
  cloud: z.string(),
  kind: z.string(),
  title: z.string(),
  state: changeStateSchema,
  isByHand: z.boolean(),
  madeBy: z.string(),
  madeAt: z.string(),
  /** Whose Keystone token the steps use. */
  runBy: z.nullable(z.string()),
  startedAt: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
  stopReason: z.nullable(z.string()),
}

export const changeDetailSchema = z.object({
  ...changeFacts,
  needsApproval: z.boolean(),
  approvedBy: z.nullable(z.string()),
  approvedAt: z.nullable(z.string()),
  window: z.nullable(z.object({ from: z.string(), until: z.string() })),
  batchHosts: z.nullable(z.int()),
  version: z.int(),
  lastAction: z.string(),
  lastBy: z.string(),
  lastAt: z.string(),
  preview: changePreviewSchema,
  steps: z.array(changeStepSchema),
})
export type ChangeDetail = z.infer<typeof changeDetailSchema>

export const changeListSchema = z.object({
  cloud: z.string(),
  changes: z.array(
    z.object({
      ...changeFacts,
      stepCount: z.int(),
      /** Done or skipped. */
      endedSteps: z.int(),
      pgpuCount: z.int(),
      /** What the step in hand waits for, is blocked by or failed with. */
      trouble: z.nullable(z.string()),
    }),
  ),
})
export type ChangeList = z.infer<typeof changeListSchema>
export type ListedChange = ChangeList['changes'][number]

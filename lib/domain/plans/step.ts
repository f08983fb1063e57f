import type { Encoded } from '@/lib/util/encode/encoded'

/** Who does a step: the console, a host's agent, or a person while the console checks the result. */
type StepDoer = 'console' | 'agent' | 'operator'

/** A pGPU that a change touches; one active change per pGPU. */
export type ChangeTarget = { host: string; address: string }

/** A line that a person reads or pastes. */
export type StepCall = Encoded<'http' | 'shell' | 'nova-conf' | 'yaml'>

/** One step of a plan, in the words that a person reads before it runs. */
export type Step<Task> = {
  /** Unique within the plan. */
  id: string
  title: string
  doer: StepDoer
  /** The literal API calls, commands on the host or lines of a file, in their order. */
  calls: readonly StepCall[]
  /** The same for manual use, for a POSIX shell with the runbook's functions. */
  command: Encoded<'shell'>
  undoCommand: Encoded<'shell'>
  /** What the plan saw and the step depends on. */
  sees: string
  precondition: string
  check: string
  undo: string
  /** What the step does; its handler in lib/services/change/step-handlers reads it. */
  task: Task
}

/** How many pGPUs a flavor matches before and after, and which it matches from then on, or no more. */
export type FlavorMatches = {
  flavorId: string
  name: string
  before: number
  after: number
  gains: ChangeTarget[]
  loses: ChangeTarget[]
  /** Of those after, pGPUs on which Placement has free capacity for a server now; null: unknown, with the reason. */
  freeCapacity?: { pgpus: number; because: null } | { pgpus: null; because: string }
}

/** Steps, and what they would mean; computed from one snapshot. What plans of every kind have. */
export type PlanBase<Task> = {
  title: string
  steps: readonly Step<Task>[]
  /** pGPUs that the steps touch. */
  targets: ChangeTarget[]
  /** Requested pGPUs that are skipped, and why. */
  refusals: (ChangeTarget & { reason: string })[]
  /** pGPUs that are already as wanted. */
  unchanged: ChangeTarget[]
  /** Only flavors whose reach changes. */
  flavors: FlavorMatches[]
}

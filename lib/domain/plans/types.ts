import type { DeploymentConfig } from '@/lib/domain/nova-config/layout/describe-configs'
import type { TraitNaming } from '@/lib/schemas/api/change'
import type { Encoded } from '@/lib/util/encode/encoded'
import type { FencePreview } from './fence/preview'
import type { FenceTask } from './fence/tasks'
import type { FlavorChangePreview } from './flavor/preview'
import type { FlavorTask } from './flavor-steps/tasks'
import type { FlavorHosts, LimitChange, TypeCapacity } from './host-steps/preview'
import type { HostPreview } from './host-steps/preview-host'
import type { RemoveMdevTask } from './host-steps/remove-mdev-step'
import type { StuckServer } from './host-steps/stuck-servers'
import type { TypeChangeTask } from './host-steps/tasks'
import type { KeepTraitsTask } from './kept-traits/keep-traits-step'
import type { LimitChangePreview } from './limits/preview'
import type { LimitTask } from './limits/tasks'
import type { FollowCapacityTask } from './orphans/follow-capacity-step'
import type { PassthroughTask } from './passthrough/tasks'
import type { WriteProviderConfigTask } from './traits/provider-config-steps'
import type { TraitTexts } from './traits/trait-texts'

/** Who does a step: the console by itself, a host's agent, or a person while the console watches. */
type StepDoer = 'console' | 'agent' | 'operator'

/** A pGPU that a change touches; one active change per pGPU. */
export type ChangeTarget = { host: string; address: string }

/** What a step does, as its work in lib/services/change/works reads it. */
export type StepTask =
  | RemoveMdevTask
  | FollowCapacityTask
  | TypeChangeTask
  | KeepTraitsTask
  | FlavorTask
  | PassthroughTask
  | FenceTask
  | LimitTask
  | WriteProviderConfigTask
  | { kind: 'create-trait'; trait: string }
  | {
      kind: 'set-traits'
      host: string
      pgpuAddress: string
      /** Of the provider: the pGPU's own, or that of a VF. */
      address: string
      providerName: string
      /** As the plan saw it; Nova re-creates providers under another. */
      providerUuid: string
      typeId: string
      typeName: string
      /** The trait that it gets. */
      trait: string
      /** Traits that name another type of the card, by the naming rule or by habit: they go. */
      otherTypes: readonly string[]
      /** Of `trait` and `otherTypes`, those that the provider had. */
      seen: readonly string[]
    }

/** A line that a person reads or pastes. */
export type StepCall = Encoded<'http' | 'shell' | 'nova-conf' | 'yaml'>

/** One step of a plan, in the words that a person reads before it runs. */
export type PlannedStep = {
  /** Unique within the plan. */
  id: string
  title: string
  doer: StepDoer
  /** The literal API calls, commands on the host or lines of a file, in their order. */
  calls: readonly StepCall[]
  /** The same by hand, for a POSIX shell with the runbook's functions. */
  command: Encoded<'shell'>
  undoCommand: Encoded<'shell'>
  /** What the plan saw and the step depends on. */
  sees: string
  precondition: string
  check: string
  undo: string
  task: StepTask
}

/** How many pGPUs a flavor matches before and after, and which it matches from then on, or no more. */
export type FlavorReach = {
  flavorId: string
  name: string
  before: number
  after: number
  gains: ChangeTarget[]
  loses: ChangeTarget[]
  /** Of those after, pGPUs where Placement has room for a server now; null: it did not say, and why. */
  room?: { pgpus: number; because: null } | { pgpus: null; because: string }
}

/** What a change of the vGPU type would mean. */
type TypeChangePreview = {
  toTypeId: string
  toTypeName: string
  capacities: TypeCapacity[]
  hosts: HostPreview[]
  servers: StuckServer[]
  flavors: FlavorHosts[]
  limits: LimitChange[]
  /** nova.conf of the hosts for each way of deploying it, the likely one first. */
  configs: DeploymentConfig[]
}

/** Steps, and what they would mean; computed from one snapshot. */
export type Plan = {
  title: string
  steps: readonly PlannedStep[]
  /** pGPUs that the steps touch. */
  targets: readonly ChangeTarget[]
  /** pGPUs that were asked for and are left alone, and why. */
  refusals: readonly (ChangeTarget & { reason: string })[]
  /** pGPUs that are already as wanted. */
  unchanged: readonly ChangeTarget[]
  /** Only flavors whose reach changes. */
  flavors: readonly FlavorReach[]
  /** Of a change of the vGPU type. */
  typeChange: TypeChangePreview | null
  /** Of a change of traits: what each provider that it touches has then, by uuid. */
  traitsAfter?: ReadonlyMap<string, readonly string[]>
  /** Of a change of traits: the other ways to keep them, as files for the hosts. */
  traitTexts?: TraitTexts
  /** Of a change of traits by a rule. */
  traitNaming?: TraitNaming
  /** Of a change of flavors. */
  flavorChange?: FlavorChangePreview
  /** Of a fence. */
  fence?: FencePreview
  /** Of a change of limits. */
  limitChange?: LimitChangePreview
}

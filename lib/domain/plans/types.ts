import type { TraitNaming } from '@/lib/schemas/api/change'
import type { CreateTraitTask } from './create-trait-step'
import type { FencePreview } from './fence/preview'
import type { FenceTask } from './fence/tasks'
import type { FlavorChangePreview } from './flavor/preview'
import type { FlavorTask } from './flavor-steps/tasks'
import type { TypeChangePreview } from './host-steps/preview-host'
import type { HostTask } from './host-steps/tasks'
import type { KeepTraitsTask } from './kept-traits/keep-traits-step'
import type { LimitChangePreview } from './limits/preview'
import type { LimitTask } from './limits/tasks'
import type { SetTraitsTask } from './merge-traits'
import type { FollowCapacityTask } from './orphans/follow-capacity-step'
import type { PassthroughTask } from './passthrough/tasks'
import type { PlanBase, Step } from './step'
import type { WriteProviderConfigTask } from './traits/provider-config-steps'
import type { TraitTexts } from './traits/trait-texts'

/** What a step does, as its work in lib/services/change/works reads it. */
export type StepTask =
  | FollowCapacityTask
  | HostTask
  | KeepTraitsTask
  | FlavorTask
  | PassthroughTask
  | FenceTask
  | LimitTask
  | WriteProviderConfigTask
  | CreateTraitTask
  | SetTraitsTask

/** One step of a plan, in the words that a person reads before it runs. */
export type PlannedStep = Step<StepTask>

/** The plan of any kind: those of each kind are plans of this form. */
export type Plan = PlanBase<StepTask> & {
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

import * as z from 'zod'
import type { TraitNaming } from '@/lib/schemas/api/change'
import { createTraitTaskSchema } from './create-trait-step'
import type { FencePreview } from './fence/preview'
import { fenceTaskSchema } from './fence/tasks'
import type { FlavorChangePreview } from './flavor/preview'
import { flavorTaskSchema } from './flavor-steps/tasks'
import type { TypeChangePreview } from './host-steps/preview-host'
import { hostTaskSchema } from './host-steps/tasks'
import { keepTraitsTaskSchema } from './kept-traits/keep-traits-step'
import type { LimitChangePreview } from './limits/preview'
import { limitTaskSchema } from './limits/tasks'
import { setTraitsTaskSchema } from './merge-traits'
import { followCapacityTaskSchema } from './orphans/follow-capacity-step'
import { passthroughTaskSchema } from './passthrough/tasks'
import type { PlanBase, Step } from './step'
import { writeProviderConfigTaskSchema } from './traits/provider-config-steps'
import type { TraitTexts } from './traits/trait-texts'

/** What a step does, as its handler in lib/services/change/works reads it. */
export const stepTaskSchema = z.discriminatedUnion('kind', [
  createTraitTaskSchema,
  fenceTaskSchema,
  flavorTaskSchema,
  followCapacityTaskSchema,
  hostTaskSchema,
  keepTraitsTaskSchema,
  limitTaskSchema,
  passthroughTaskSchema,
  setTraitsTaskSchema,
  writeProviderConfigTaskSchema,
])
export type StepTask = z.infer<typeof stepTaskSchema>

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

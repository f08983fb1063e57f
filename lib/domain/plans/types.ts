import * as z from 'zod'
import { createTraitTaskSchema } from './create-trait-step'
import type { FlavorPlan } from './flavor/plan-flavors'
import { flavorTaskSchema } from './flavor-steps/tasks'
import { hostTaskSchema } from './host-steps/tasks'
import type { LimitPlan } from './limits/plan-limits'
import { limitTaskSchema } from './limits/tasks'
import { keepTraitsTaskSchema } from './managed-traits/keep-traits-step'
import { setTraitsTaskSchema } from './merge-traits'
import { followCapacityTaskSchema } from './orphans/follow-capacity-step'
import type { OrphansPlan } from './orphans/plan-orphans'
import type { PassthroughPlan } from './passthrough/plan-passthrough'
import { passthroughTaskSchema } from './passthrough/tasks'
import { type ReservationPlan, reservationTaskSchema } from './reservation/tasks'
import type { Step } from './step'
import type { TraitsPlan } from './traits/plan-traits'
import { writeProviderConfigTaskSchema } from './traits/provider-config-steps'
import type { TypeChangePlan } from './type-change/plan-type-change'

/** What a step does, as its handler in lib/services/change/step-handlers reads it. */
export const stepTaskSchema = z.discriminatedUnion('kind', [
  createTraitTaskSchema,
  reservationTaskSchema,
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

/** The host that a task acts on; null: on none. */
export const hostOfTask = (task: StepTask): string | null => ('host' in task ? task.host : null)

/** One step of a plan, in the words that a person reads before it runs. */
export type PlannedStep = Step<StepTask>

/** The plan of each kind of change, as `kind` names it in lib/schemas/api/change-inputs. */
export type Plan =
  | FlavorPlan
  | LimitPlan
  | OrphansPlan
  | PassthroughPlan
  | ReservationPlan
  | TraitsPlan
  | TypeChangePlan

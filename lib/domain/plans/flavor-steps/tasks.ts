import type { Step } from '../step'
import type { NewFlavorFacts } from './new-flavor'

/** One value that a step writes: what the plan saw and what is wanted; null: not there. */
export type ValueChange = { key: string; seen: string | null; wanted: string | null }

/** Steps that make and change flavors, and the aggregates that they are tied to. */
export type FlavorTask =
  | { kind: 'create-flavor'; flavorId: string; flavor: NewFlavorFacts }
  | { kind: 'set-extra-specs'; flavorId: string; flavorName: string; changes: readonly ValueChange[] }
  | { kind: 'describe-flavor'; flavorId: string; flavorName: string; changes: readonly ValueChange[] }
  /** Keys are ids of projects; a value that is not null lets the project use the flavor. */
  | {
      kind: 'set-flavor-access'
      flavorId: string
      flavorName: string
      changes: readonly ValueChange[]
      projectNames: Readonly<Record<string, string>>
    }
  | { kind: 'create-aggregate'; aggregate: string }
  /** Keys are names of nova-compute services. */
  | { kind: 'set-aggregate-hosts'; aggregate: string; changes: readonly ValueChange[] }
  | { kind: 'set-aggregate-properties'; aggregate: string; changes: readonly ValueChange[] }

/** In place of a value where there is none but being in or out. */
export const MEMBER = 'yes'

export type FlavorStep = Step<FlavorTask>

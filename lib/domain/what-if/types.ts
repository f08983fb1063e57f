import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { ChangeTarget } from '@/lib/domain/plans/step'

/** One thing that is tried. Types by their ids, hosts and aggregates by their names. */
export type WhatIfStep =
  | { do: 'type'; count: number; from: string; to: string }
  | { do: 'add'; count: number; like: string }
  | { do: 'remove'; hosts: readonly string[] }
  | { do: 'move'; hosts: readonly string[]; from: string; to: string }

/** The fleet as it would be after some steps. */
export type WhatIfState = {
  fleet: Fleet
  /** Names of hosts that do not exist yet. */
  added: ReadonlySet<string>
  /** `host address` of cards that got another type. */
  retyped: ReadonlySet<string>
}

/** What became of one step. */
export type StepOutcome = {
  /**
   * Why the step is impossible, with the way out; null if it is possible. The fleet of an impossible step is unchanged.
   */
  problem: string | null
  /** vGPUs in use on what the step takes away: their servers have to move. */
  moving: number
  /** Cards that get another type. */
  targets: readonly ChangeTarget[]
  /** The manual work or the order; null: a change of the console does it. */
  text: string | null
}

export type AppliedStep = { state: WhatIfState; outcome: StepOutcome }

export const refused = (state: WhatIfState, problem: string): AppliedStep => ({
  state,
  outcome: { problem, moving: 0, targets: [], text: null },
})

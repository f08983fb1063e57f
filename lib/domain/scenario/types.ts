import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { ChangeTarget } from '@/lib/domain/plans/step'

/** New hosts of one build. */
export type NewHosts = {
  do: 'new'
  count: number
  /** Cards of each host, by model: `NVIDIA L40S`. */
  cards: number
  model: string
  /** The vGPU type of all cards: `L40S-12Q`. */
  typeName: string
  /** Of each host. */
  vcpus: number
  memoryGib: number
  diskGib: number
  /** Null: none. */
  aggregate: string | null
}

type Deed =
  | { do: 'type'; count: number; from: string; to: string }
  | { do: 'add'; count: number; like: string }
  | NewHosts
  | { do: 'remove'; hosts: readonly string[] }
  | { do: 'move'; hosts: readonly string[]; from: string; to: string }

/** One step of a scenario. Types by their ids, hosts and aggregates by their names. */
export type ScenarioStep = Deed & {
  /** The day, `2027-01-15`; null: at once. */
  date: string | null
}

/** The fleet as it would be after some steps. */
export type ScenarioState = {
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

export type AppliedStep = { state: ScenarioState; outcome: StepOutcome }

export const refused = (state: ScenarioState, problem: string): AppliedStep => ({
  state,
  outcome: { problem, moving: 0, targets: [], text: null },
})

import type { Plan } from '@/lib/domain/plans/types'
import type { PlanChange } from '@/lib/schemas/api/change-inputs'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { hostThen } from './host-then'
import type { HostPast, Past } from './types'

/** Admins of the demo's cloud, by their names in Keystone. */
export const [FIRST, SECOND] = ['admin@Default', 'h.lindqvist@Default'] as const

/** A change that a person ran in the past. Times in ms. */
export type PastChange = {
  by: string
  /** Who agreed to the plan, and when; null: no approval was needed. */
  approval: { by: string; at: number } | null
  plannedAt: number
  startedAt: number
  input: PlanChange
  plan: Plan
  /** When each step was done; of one that was stopped, those before the one that did not complete. */
  doneAt: number[]
  /** It got no further than `doneAt`, was stopped and reverted; null: it was done. */
  stopped: { because: string; wayOut: string; blockedAt: number; stoppedAt: number; backAt: number } | null
}

export type Cloud = { name: string; region: string }
export type World = { past: Past; fleet: readonly FleetHost[]; cloud: Cloud }
export type HostContext = { host: FleetHost; past: HostPast }

export const contextOf = ({ past, fleet }: World, name: string): HostContext | null => {
  const host = fleet.find(({ spec }) => spec.name === name)
  const own = past.hosts.find((entry) => entry.name === name)
  return host === undefined || own === undefined ? null : { host, past: own }
}

export const NOTHING: ReadonlyMap<string, string> = new Map()

export const momentOf = (
  { host, past }: HostContext,
  at: number,
  configured: ReadonlyMap<string, string> = NOTHING,
) => ({
  host,
  spec: hostThen(host, { past, at, configured }),
})

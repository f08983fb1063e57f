import type { StepTask } from '@/lib/domain/plans/types'
import type { PlacementClient } from '@/lib/openstack/placement/types'

/** What a step will do or did, as it stands in the database; enough to take it back. */
export type Intent = Readonly<Record<string, unknown>>

/**
 * What is true right before acting, read anew from every source that can object.
 * - `holds`: what is meant is so already. `ready`: it is not, and what the plan saw still stands.
 * - `blocked`: the world is another than the plan saw, or something is in the way.
 */
export type Look =
  | { state: 'holds'; answer: string }
  | { state: 'ready'; intent: Intent }
  | { state: 'blocked'; by: string; wayOut: string }

/** A kind of step. Each part may run twice; `look` decides whether anything is left to do. */
export type StepWork<Task extends StepTask> = {
  look: (tools: WorkTools, task: Task) => Promise<Look>
  /** Does what `look` intended; resolves to the service's answer. */
  act: (tools: WorkTools, task: Task, intent: Intent) => Promise<string>
  /** `holds`: nothing is left of what the step did. */
  lookBack: (tools: WorkTools, task: Task, intent: Intent) => Promise<Look>
  undo: (tools: WorkTools, task: Task, intent: Intent) => Promise<string>
}

/** What the agents say now of a host: type and trait by device address; or why that is not known. */
export type HostWords =
  | { types: ReadonlyMap<string, { typeId: string; typeName: string }>; reason: null }
  | { types: null; reason: string }

/** What a step may reach. */
export type WorkTools = {
  placement: PlacementClient
  /** By host and pGPU address. */
  typesOf: (host: string, pgpuAddress: string) => Promise<HostWords>
}

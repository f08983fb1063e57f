import type * as z from 'zod'
import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { ProjectLimit, RegisteredLimit } from '@/lib/domain/cloud/types'
import type { TraitPlacement } from '@/lib/domain/plans/managed-traits/keep-traits-step'
import type { Intent } from '@/lib/domain/plans/stored-plan'
import type { StepTask } from '@/lib/domain/plans/types'
import type { Keystone, KeystoneLimits, NewLimit, NewRegisteredLimit } from '@/lib/openstack/keystone/types'
import type { NovaClient } from '@/lib/openstack/nova/types'
import type { PlacementClient } from '@/lib/openstack/placement/types'
import type { AgentCommand } from '@/lib/schemas/agent/command'

/**
 * The state right before acting, read again from every source that can object.
 * - `holds`: the goal is reached already; with an `intent`, reverting the change checks the step again. `ready`: it
 *   is not reached, and the state that the plan saw is unchanged.
 * - `blocked`: the state differs from the one at planning, or something prevents the step. `waiting`: the goal
 *   follows within the usual time.
 */
export type CheckResult =
  | { state: 'holds'; answer: string; intent?: Intent }
  | { state: 'ready'; intent: Intent }
  | {
      state: 'blocked'
      by: string
      wayOut: string
      /** These targets (lib/domain/plans/written-targets) differ, so another change of the console may have written them. */
      differsAt?: readonly string[]
    }
  | { state: 'waiting'; by: string; wayOut: string; withinSeconds: number }

type Checks<Task extends StepTask> = {
  check: (tools: StepTools, task: Task) => Promise<CheckResult>
  /** `holds`: nothing is left of what the step did. */
  checkUndo: (tools: StepTools, task: Task, intent: Intent) => Promise<CheckResult>
}

/** Done by the console's own calls. */
export type ConsoleHandler<Task extends StepTask> = Checks<Task> & {
  by: 'console'
  /** Does what `check` intended; resolves to the service's answer. */
  act: (tools: StepTools, task: Task, intent: Intent) => Promise<string>
  /** It writes the console's own lists only, so no person can do it by hand: the console does. */
  isOwnList?: true
  undo: (tools: StepTools, task: Task, intent: Intent) => Promise<string>
}

/** Nothing for an agent, and why: a person does it. */
type ByHand = { byHand: string }

/**
 * Done on a host: by its agent where the host allows the command, else manually. `previous`: the earlier content that
 * the agent reported; null: none, or a person did the step.
 */
export type HostHandler<Task extends StepTask> = Checks<Task> & {
  by: 'host'
  command: (task: Task, intent: Intent) => AgentCommand | ByHand
  /** Null: no command takes it back. */
  undoCommand: (
    task: Task,
    input: { intent: Intent; previous: string | null },
  ) => AgentCommand | ByHand | null
}

/** A kind of step. Each part may run twice; `check` decides whether anything is left to do. */
export type StepHandler<Task extends StepTask> = ConsoleHandler<Task> | HostHandler<Task>

/** What a step has recorded, in the form that its handler writes. @throws StepFailed if it has another form. */
export const readIntent = <T>(schema: z.ZodType<T>, intent: Intent): T => {
  const { success, data, error } = schema.safeParse(intent)
  if (success) return data
  const at = error.issues[0]?.path.map(String).join('.')
  throw new StepFailed(
    `The record of this step cannot be read: its row in the database is damaged at ${at}. Skip the step, or plan the change again.`,
  )
}

/** What the agents say now of a host: type and trait by device address; or why that is not known. */
export type ReportedTypes =
  | { types: ReadonlyMap<string, { typeId: string; typeName: string }>; reason: null }
  | { types: null; reason: string }

/** A host that reports; or why its state is unknown now. */
export type HostNow = { joined: JoinedHost; fleet: Fleet; reason: null } | { joined: null; reason: string }

/**
 * The expected result of a step does not hold, and the message names the reason. The change stops, so that a person
 * can decide.
 */
export class StepFailed extends Error {
  override readonly name = 'StepFailed'
}

/** `providerUuid`: the provider that carries it now; null: none does. */
export type CarriedDevice = TraitPlacement & { providerUuid: string | null }

/** What is kept on a pGPU. */
export type ManagedTraitList = {
  list: (target: { host: string; pgpuAddress: string }) => Promise<TraitPlacement[]>
  /** Keeps exactly this; what was kept already stays as it is. */
  set: (target: { host: string; pgpuAddress: string }, devices: readonly CarriedDevice[]) => Promise<void>
}

type RoleGrant = { userId: string; roleId: string }

/** Keystone's unified limits, and who may read them all. */
export type LimitExecutor = {
  listRegistered: () => Promise<readonly RegisteredLimit[]>
  /** Of all projects. @throws StepFailed when they can't all be seen. */
  listProject: () => Promise<readonly ProjectLimit[]>
  createRegistered: (limits: readonly NewRegisteredLimit[]) => Promise<RegisteredLimit[]>
  updateRegistered: (id: string, defaultLimit: number) => Promise<RegisteredLimit>
  removeRegistered: (id: string) => Promise<void>
  /** All or nothing. */
  create: (limits: readonly NewLimit[]) => Promise<ProjectLimit[]>
  /** Not to 0, which Keystone takes for "as it is". */
  update: (id: string, resourceLimit: number) => ReturnType<KeystoneLimits['update']>
  remove: (id: string) => Promise<void>
  listRoles: (name: string) => ReturnType<Keystone['listRoles']>
  listSystemRoles: (userId: string) => ReturnType<Keystone['listSystemRoles']>
  grantSystemRole: (grant: RoleGrant) => Promise<void>
  revokeSystemRole: (grant: RoleGrant) => Promise<void>
}

/** What a step may reach. */
export type StepTools = {
  /** The change that the step belongs to. */
  change: { id: number; isByHand: boolean }
  placement: PlacementClient
  /** By host and pGPU address. */
  typesOf: (host: string, pgpuAddress: string) => Promise<ReportedTypes>
  nova: NovaClient
  limits: LimitExecutor
  /** By the host's name: its last report, with the results of OpenStack's last reading round. */
  hostNow: (host: string) => Promise<HostNow>
  /** The console's own list of traits that it keeps. */
  managedTraits: ManagedTraitList
  /** What another step of the same change has recorded, by its id; null: nothing. */
  intentOf: (stepId: string) => Promise<Intent | null>
}

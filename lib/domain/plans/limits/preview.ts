import type { DeploymentConfig } from '@/lib/domain/nova-config/layout/describe-configs'

/** One limit before and after. `projectId` null: the registered default; a value of null: there is none. */
export type LimitEffect = {
  resourceName: string
  projectId: string | null
  projectName: string | null
  before: number | null
  after: number | null
  /** By Placement; null: a default, or not known. */
  used: number | null
}

/** A project that holds more than it may once the change is done: it keeps that, and gets nothing more. */
export type OverProject = {
  resourceName: string
  projectId: string
  projectName: string
  used: number
  limit: number
}

/** The limits of a class over all projects compared with its capacity; null: unknown. */
export type Commitment = {
  resourceName: string
  capacity: number | null
  before: number | null
  after: number | null
}

/** What a change of limits means. */
export type LimitChangePreview = {
  region: string | null
  effects: LimitEffect[]
  classes: Commitment[]
  /** Of the names that change; of the setup, of every name, since Nova begins to check all of them. */
  over: OverProject[]
  /** Of the set-up alone: names of projects that may be over, because a limit or their use is not known. */
  dayOne?: { unknown: string[] }
  refusals: { resourceName: string; projectName: string | null; reason: string }[]
  /** How many of the requested limits already have their value. */
  unchanged: number
  /** The user that gets the role reader on the system; null: none. */
  grant: string | null
  /** Rows without a region that go; absent from plans of older consoles. */
  strays?: {
    registered: { resourceName: string; defaultLimit: number }[]
    limits: { resourceName: string; projectName: string; resourceLimit: number }[]
  }
  notes: string[]
  /** Of the set-up: the options of nova-api and nova-conductor for each way of deploying them. */
  configs: DeploymentConfig[]
}

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

/** What a class promises over all projects against what there is; null: not known. */
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
  /** Of the names that change; of the set-up, of every name, since Nova begins to look at all of them. */
  over: OverProject[]
  /** Of the set-up alone: names of projects that may be over, because a limit or their use is not known. */
  dayOne?: { untold: string[] }
  refusals: { resourceName: string; projectName: string | null; reason: string }[]
  /** How many of the wished limits stand as wished already. */
  unchanged: number
  /** Who gets the role reader on the system; null: nobody. */
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

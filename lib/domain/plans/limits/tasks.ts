import type { Step } from '../step'
/** Service and region of the rows that Nova finds: those of its endpoint. */
export type LimitPlace = { serviceId: string; regionId: string | null }

/** A project's own limit: what the plan saw and what is wanted; null: none, so that the default holds. */
export type OwnLimitChange = {
  resourceName: string
  projectId: string
  projectName: string
  seen: number | null
  wanted: number | null
}

export type NewDefault = { resourceName: string; defaultLimit: number }

/** A limit of a project in a row without a region, which Nova never looks at. */
export type StrayLimit = {
  resourceName: string
  projectId: string
  projectName: string
  resourceLimit: number
}

/** Steps that write unified limits into Keystone, and the role that lets Nova read them. */
export type LimitTask =
  | { kind: 'create-registered-limits'; place: LimitPlace; limits: readonly NewDefault[] }
  /** `overrides`: the limits of single projects on it, which go for the moment of the change and come back as they are wanted. */
  | {
      kind: 'set-registered-limit'
      stepId: string
      place: LimitPlace
      resourceName: string
      seen: number
      wanted: number
      overrides: readonly OwnLimitChange[]
    }
  /** `stepId`: of the very step, whose record tells whether it has begun. */
  | { kind: 'set-project-limits'; stepId: string; place: LimitPlace; limits: readonly OwnLimitChange[] }
  /** Rows of Nova's service without a region; the limits of projects refer to the defaults. */
  | {
      kind: 'remove-stray-limits'
      serviceId: string
      registered: readonly NewDefault[]
      limits: readonly StrayLimit[]
    }
  | { kind: 'grant-system-role'; userId: string; userName: string; role: string }

export type LimitStep = Step<LimitTask>

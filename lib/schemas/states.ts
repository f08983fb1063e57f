import { COMMAND_OUTCOMES } from './agent/command-outcomes'

/**
 * The values of state columns, each list defined once. A CHECK constraint of the database has the same list, so a new
 * value needs a migration (docs/decisions/031-prisma-and-sql-with-row-schemas.md). Lists that every page loads are in
 * separate files: severity, roles, service-states, subject-kinds, frameworks.
 */

export const CHANGE_STATES = [
  'planned',
  'running',
  'stopped',
  'undoing',
  'done',
  'undone',
  'dropped',
] as const
export type ChangeState = (typeof CHANGE_STATES)[number]

export const STEP_STATES = [
  'pending',
  'running',
  'waiting',
  'blocked',
  'done',
  'failed',
  'undone',
  'skipped',
] as const
export type StepState = (typeof STEP_STATES)[number]

export const COMMAND_STATES = ['queued', 'delivered', ...COMMAND_OUTCOMES, 'expired', 'withdrawn'] as const

/** `ended`: the limit was granted until a day that has passed, and the console dealt with it. */
export const REQUEST_STATES = ['open', 'withdrawn', 'declined', 'approved', 'ended'] as const
export type RequestState = (typeof REQUEST_STATES)[number]

/** `unknown`: Nova did not confirm the server, so it may exist. */
export const SERVER_REQUEST_STATES = ['pending', 'created', 'refused', 'unknown'] as const

/** `legacy`: Nova uses the quotas of its database, and limits in Keystone have no effect. */
export const QUOTA_DRIVERS = ['unified', 'legacy'] as const
export type QuotaDriver = (typeof QUOTA_DRIVERS)[number]

export const WEBHOOK_FORMS = ['json', 'slack'] as const
/** `waiting`: for the first or another try. `given-up`: no try succeeded in time. */
export const DELIVERY_STATES = ['waiting', 'taken', 'given-up'] as const

export const SIGN_IN_METHODS = ['password', 'websso'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]
export const SCOPE_KINDS = ['project', 'system'] as const
export type ScopeKind = (typeof SCOPE_KINDS)[number]
/** Why a session was ended. Sessions that expire have no reason. */
export const SESSION_END_REASONS = ['signed-out', 'ended-elsewhere', 'refused', 'secret-changed'] as const
export type SessionEndReason = (typeof SESSION_END_REASONS)[number]

/** What an API token may do. */
export const TOKEN_ACCESS = ['read', 'write'] as const
export type TokenAccess = (typeof TOKEN_ACCESS)[number]

/** Why a host does not get a credential without an admin. */
export const HOLD_REASONS = ['live-credential', 'removed-host'] as const
export type HoldReason = (typeof HOLD_REASONS)[number]
/** `approved as new`: the name of a removed host belongs to another host now. */
export const ENROLLMENT_DECISIONS = ['approved', 'approved as new', 'declined'] as const

export const FINDING_EVENT_KINDS = [
  'opened',
  'closed',
  'reopened',
  'acknowledged',
  'acknowledgement-ended',
] as const

/** Why Nova created no server: no host accepted it, a limit refused it, or every host failed to start it. */
export const REFUSAL_REASONS = ['no-valid-host', 'over-limit', 'build-failed'] as const
export type RefusalReason = (typeof REFUSAL_REASONS)[number]

export const ROLL_UP_STEPS = ['hour', 'day'] as const
export type RollUpStep = (typeof ROLL_UP_STEPS)[number]
/** What roll-ups are grouped by. */
export const DIMENSIONS = ['all', 'type', 'model', 'aggregate', 'flavor', 'project'] as const
export type Dimension = (typeof DIMENSIONS)[number]
/** Groups that forecasts warn about. */
export const WARNED_DIMENSIONS = ['type', 'aggregate'] as const
/** What a review can be limited to. */
export const REVIEW_FILTERS = ['all', 'type', 'model', 'aggregate'] as const

/** What utilization is measured of. */
export const USAGE_KINDS = ['pgpu', 'vgpu'] as const
/** `seconds`: when in each minute the samples were taken. */
export const MINUTE_PAGE_KINDS = [...USAGE_KINDS, 'seconds'] as const

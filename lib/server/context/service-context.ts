import type { Role } from '@/lib/schemas/roles'
import type { TokenAccess } from '@/lib/schemas/states'
import 'server-only'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import type { Database } from '@/lib/server/database/database'
import type { Env } from '@/lib/server/settings/env'
import type { Logger } from './log'
import type { SignIn } from './sign-in'
import type { WebhookMeans } from './webhook-means'

type ProjectScope = { kind: 'project'; id: string; name: string; domain: string }
export type AccountScope = ProjectScope | { kind: 'system' }

/** A user of a cloud's Keystone. */
export type Account = {
  cloud: string
  userId: string
  userName: string
  userDomain: string
  /** Null: signed in, nothing chosen yet; then there is no role either. */
  scope: AccountScope | null
  /** `sessionHash`: what the cookie was found by, which another role changes. */
  source:
    | { kind: 'session'; sessionId: number; sessionHash: string }
    | { kind: 'api-token'; apiTokenId: number; access: TokenAccess }
}

export type Actor =
  | {
      kind: 'user'
      name: string
      roles: Role[]
      /** Absent: the local admin of a console without sign-in, who sees every cloud. */
      account?: Account
    }
  | {
      kind: 'agent'
      credentialId: number
      cloudId: number
      hostId: number
      hostName: string
      enrolment: number
    }
  | { kind: 'anonymous' }
  | { kind: 'system' }

/** What a service is given: who asks, when, and the database. */
export type ServiceContext = {
  database: Database
  actor: Actor
  now: () => Date
  log: Logger
  requestId: string
  /** Aborts when the browser closes the connection. Absent: no browser waits. */
  signal?: AbortSignal
  /** Seconds without a word after which a host counts as silent (SLICEBOARD_SILENT_AFTER_SECONDS). */
  silentAfterSeconds: number
  /** How often agents send their samples of utilization (SLICEBOARD_SAMPLES_EVERY_SECONDS). */
  samplesEverySeconds: number
  /** Age at which OpenStack's values count as too old for findings. */
  staleAfterMs: number
  /** Every change needs a second person (SLICEBOARD_CHANGE_APPROVAL=always). */
  approvesChanges: boolean
  /** The default time zone of review months (SLICEBOARD_REVIEW_TIME_ZONE). */
  reviewTimeZone: string
  /** Web dashboards that tenants are led to (SLICEBOARD_DASHBOARDS); `cloud` null: of every cloud. */
  dashboards: Env['dashboards']
  webhooks: WebhookMeans
  /** The service account of each configured cloud, for questions that can't wait for the next reading round. */
  accounts: readonly ServiceAccount[]
  /** Null: a console without sign-in. */
  signIn: SignIn | null
}

/** Who a browser acts as without sign-in; the server then listens on the loopback address only. */
export const LOCAL_ADMIN: Actor = { kind: 'user', name: 'local-admin', roles: ['admin'] }
export const ANONYMOUS: Actor = { kind: 'anonymous' }

/** The actor as the audit shows it: `user:anna@Default`, `user:anna@Default/api-token:3`, `agent:cmp-01`, `system`. */
export const describeActor = (actor: Actor): string => {
  switch (actor.kind) {
    case 'user': {
      const source = actor.account?.source
      return source?.kind === 'api-token'
        ? `user:${actor.name}/api-token:${source.apiTokenId}`
        : `user:${actor.name}`
    }
    case 'agent':
      return `agent:${actor.hostName}`
    case 'anonymous':
      return 'anonymous'
    case 'system':
      return 'system'
  }
}

/** The one cloud that an account belongs to and sees; null for the system and the local admin, who see all. */
export const onlyCloud = (actor: Actor): string | null =>
  actor.kind === 'user' ? (actor.account?.cloud ?? null) : null

export const seesCloud = (actor: Actor, cloud: string): boolean => [null, cloud].includes(onlyCloud(actor))

import 'server-only'
import type { Role } from '@/lib/domain/permissions'
import type { Database } from './database/database'
import type { Logger } from './log'

export type Actor =
  | { kind: 'user'; name: string; roles: Role[] }
  | {
      kind: 'agent'
      credentialId: number
      cloudId: number
      hostId: number
      hostName: string
      enrolment: number
    }
  | { kind: 'system' }

/** What a service is given: who asks, when, and the database. */
export type ServiceContext = {
  database: Database
  actor: Actor
  now: () => Date
  log: Logger
  requestId: string
  /** Seconds without a word after which a host counts as silent (SLICEBOARD_SILENT_AFTER_SECONDS). */
  silentAfterSeconds: number
}

/** Who a browser acts as until sign-in exists; the server listens on the loopback address only. */
export const LOCAL_ADMIN: Actor = { kind: 'user', name: 'local-admin', roles: ['admin'] }

/** The actor as the audit shows it: `user:anna`, `agent:cmp-01`, `system`. */
export const describeActor = (actor: Actor): string => {
  switch (actor.kind) {
    case 'user':
      return `user:${actor.name}`
    case 'agent':
      return `agent:${actor.hostName}`
    case 'system':
      return 'system'
  }
}

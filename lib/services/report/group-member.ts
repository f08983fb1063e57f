import type { Position } from '@/lib/schemas/agent/report'
import type { Actor } from '@/lib/server/service-context'
import type { HostRows } from './host-rows'

export type AgentActor = Extract<Actor, { kind: 'agent' }>

/** A checked report on its way into the database. */
export type ReportMember = {
  kind: 'report'
  actor: AgentActor
  position: Position
  digest: string
  takenAt: string
  droppedReports: number
  rows: HostRows
  /** Gzip of the report's JSON. */
  body: Uint8Array
}

/** An agent's word that nothing changed since the report of this digest. */
export type HeartbeatMember = { kind: 'heartbeat'; actor: AgentActor; position: Position; digest: string }

export type GroupMember = ReportMember | HeartbeatMember

/** What became of a member. */
export type Outcome =
  | { kind: 'applied'; newest: Position }
  /** Seen before, or older than the newest: nothing was written. */
  | { kind: 'late'; newest: Position }
  /** A heartbeat for a digest that is not the stored one. */
  | { kind: 'conflict' }
  /** The credential was revoked or replaced. */
  | { kind: 'revoked' }

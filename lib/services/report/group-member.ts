import type { Position } from '@/lib/schemas/agent/report'
import type { Actor } from '@/lib/server/context/service-context'
import type { HostRows } from './host-rows'

export type AgentActor = Extract<Actor, { kind: 'agent' }>

/** A checked report on its way into the database. */
export type ReportMember = {
  kind: 'report'
  actor: AgentActor
  position: Position
  digest: string
  takenAt: string
  /** When it was taken, by our clock, in ms. */
  at: number
  /** How long before that the agent had scanned without a gap; null: it does not report it. */
  watchedMs: number | null
  droppedReports: number
  rows: HostRows
  /** Gzip of its JSON, which the pages about one host read. */
  body: Uint8Array
}

/** An agent's message that nothing changed since the report of this digest. */
export type HeartbeatMember = {
  kind: 'heartbeat'
  actor: AgentActor
  position: Position
  digest: string
  /** When the scan behind it ended, by our clock, in ms. */
  at: number
  /** As of a report. */
  watchedMs: number | null
}

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

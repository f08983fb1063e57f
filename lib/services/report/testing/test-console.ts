import { gzipSync } from 'node:zlib'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { CONTRACT_VERSION, type Position, type Watched } from '@/lib/schemas/agent/report'
import type { Report } from '@/lib/schemas/agent/whole-report'
import type { Database } from '@/lib/server/database/database'
import { anyRow } from '@/lib/server/testing/any-row'
import { commitGroup } from '../commit-group'
import type { AgentActor, GroupMember } from '../group-member'
import { memberOfHeartbeat, memberOfReport } from '../ingest-report'

/** A message of a host as it comes in; `takenAt` and `sentAt` by the host's clock. A heartbeat has no `takenAt`. */
export type Delivery = {
  actor: AgentActor
  inventory: Inventory
  position: Position
  receivedAt: Date
  takenAt: Date | null
  sentAt?: Date | null
  watched?: Watched | null
}

export type TestConsole = {
  /** Commits messages as one group. True for accepted ones, in the given order. */
  deliver: (deliveries: readonly Delivery[]) => Promise<boolean[]>
}

/** A console with all that it keeps between reports. */
export const createTestConsole = (database: Database): TestConsole => {
  const memberOf = (deliveries: Delivery): GroupMember => {
    const { actor, inventory, position, receivedAt, takenAt, sentAt = null, watched = null } = deliveries
    const digest = inventoryDigest(inventory)
    if (takenAt === null) return memberOfHeartbeat(actor, { position, digest, receivedAt, watched })
    const report: Report = {
      contractVersion: CONTRACT_VERSION,
      agentVersion: '0.1.0',
      position,
      takenAt: takenAt.toISOString(),
      digest,
      droppedReports: 0,
      inventory,
    }
    const arrival = { receivedAt, sentAt, watchedMs: watched?.forMs ?? null }
    return memberOfReport(actor, { report, body: gzipSync(JSON.stringify(report)), arrival })
  }
  return {
    deliver: async (deliveries) => {
      const members = deliveries.map(memberOf)
      const outcomes = await commitGroup({ database, members, now: () => new Date() })
      return members.map((member) => outcomes.get(member)?.kind === 'applied')
    },
  }
}

const HISTORY = `
SELECT
  (SELECT json_agg(to_jsonb(c) - 'host_id' ORDER BY c.at, c.boot, c.sequence, c.address)::text
   FROM pgpu_history c WHERE c.host_id = $1) AS pgpus,
  (SELECT json_agg(to_jsonb(c) - 'host_id' ORDER BY c.at, c.boot, c.sequence, c.uuid)::text
   FROM guest_history c WHERE c.host_id = $1) AS guests,
  (SELECT json_agg(to_jsonb(w) - 'host_id' ORDER BY w.since, w.until, w.boot, w.sequence)::text
   FROM host_watch w WHERE w.host_id = $1) AS ended,
  (SELECT json_build_array(h.watched_since, h.watched_at)::text FROM host h WHERE h.id = $1) AS watched`

type HostHistory = Record<'pgpus' | 'guests' | 'ended' | 'watched', string | null>

/** The whole history of a host, byte for byte, without its id. */
export const readHistory = async (database: Database, hostId: number): Promise<HostHistory> => {
  const [row] = await database.query(HISTORY, [hostId], anyRow<HostHistory>())
  if (row === undefined) throw new Error('a statement without a table gave no row')
  return row
}

/** The same history without the positions of its messages. */
export const withoutPositions = ({ pgpus, guests, ended, watched }: HostHistory): unknown => {
  const strip = (text: string | null) =>
    (JSON.parse(text ?? '[]') as Record<string, unknown>[]).map(
      ({ enrolment: _, boot: _boot, sequence: _sequence, ...row }) => row,
    )
  return { pgpus: strip(pgpus), guests: strip(guests), ended: strip(ended), watched }
}

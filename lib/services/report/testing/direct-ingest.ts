import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { Position } from '@/lib/schemas/agent/report'
import type { Database } from '@/lib/server/database/database'
import { anyRow } from '@/lib/server/testing/any-row'
import type { AgentActor, HeartbeatMember, ReportMember } from '../group-member'
import { memberOfReport } from '../ingest-report'
import { parseReport } from '../parse-report'
import { loadStoredInventories, readStoredInventory } from '../read-stored-inventory'
import { createReportIngest, type ReportIngest } from '../report-ingest'
import { reportText, TAKEN_AT } from './sent-report'

const ENROL = `
WITH made AS (
  INSERT INTO host (cloud_id, name, enrolment) SELECT $1, n.name, 1 FROM unnest($2::text[]) AS n(name) RETURNING id, name
), credential AS (
  INSERT INTO agent_credential (cloud_id, host_id, enrolment, secret_hash)
  SELECT $1, id, 1, 'none' FROM made RETURNING id, host_id
)
SELECT made.id AS "hostId", made.name, credential.id AS "credentialId"
FROM made JOIN credential ON credential.host_id = made.id`

/** Hosts with a credential each, as enrolments leave them, in the order of their names. */
export const enrolledActors = async (
  database: Database,
  cloudId: number,
  names: readonly string[],
): Promise<AgentActor[]> => {
  const rows = await database.query(
    ENROL,
    [cloudId, names],
    anyRow<{ hostId: number; name: string; credentialId: number }>(),
  )
  return names.flatMap((name) => {
    const row = rows.find((made) => made.name === name)
    if (row === undefined) return []
    const { hostId, credentialId } = row
    return [{ kind: 'agent', credentialId, cloudId, hostId, hostName: name, enrolment: 1 }]
  })
}

/** A host with a credential, as an enrolment leaves it. */
export const enrolledActor = async (
  database: Database,
  cloudId: number,
  name: string,
): Promise<AgentActor> => {
  const [actor] = await enrolledActors(database, cloudId, [name])
  if (actor === undefined) throw new Error('one host was enrolled')
  return actor
}

export const startIngest = (database: Database, maxWaiting = 100): ReportIngest =>
  createReportIngest({ database, now: () => new Date(), log: pino({ level: 'silent' }), maxWaiting })

type Sent = { actor: AgentActor; inventory: Inventory; position: Position }

const ARRIVAL = { receivedAt: new Date(TAKEN_AT), sentAt: null, watchedMs: null }

/** A member from the bytes that an agent sends, for any name of the host in the inventory. */
export const reportMember = ({ actor, inventory, position }: Sent): ReportMember => {
  const json = Buffer.from(reportText(inventory, position))
  const named = { ...actor, hostName: inventory.host.name }
  const member = memberOfReport(named, { report: parseReport(json), body: gzipSync(json), arrival: ARRIVAL })
  return { ...member, actor }
}

export const heartbeatMember = (
  actor: AgentActor,
  position: Position,
  inventory: Inventory,
): HeartbeatMember => ({
  kind: 'heartbeat',
  actor,
  position,
  digest: inventoryDigest(inventory),
  at: Date.parse(TAKEN_AT),
  watchedMs: null,
})

const DUMP = `
SELECT
  (SELECT json_build_object('enrolment', enrolment, 'boot', boot, 'sequence', sequence, 'digest', digest, 'osName', os_name,
     'findings', findings, 'guests', guest_count, 'gpus', gpu_count, 'problems', problem_count,
     'watchedSince', watched_since, 'watchedAt', watched_at) FROM host WHERE id = $1) AS host,
  (SELECT json_agg(to_jsonb(p) - 'host_id' ORDER BY p.address) FROM pgpu p WHERE p.host_id = $1) AS pgpus,
  (SELECT json_agg(to_jsonb(g) - 'host_id' ORDER BY g.uuid) FROM guest g WHERE g.host_id = $1) AS guests,
  (SELECT problems FROM host WHERE id = $1) AS problems,
  (SELECT json_agg(to_jsonb(g) - 'host_id' ORDER BY g.uuid) FROM guest_holding g WHERE g.host_id = $1) AS holdings,
  (SELECT json_agg(to_jsonb(c) - 'host_id' ORDER BY c.enrolment, c.boot, c.sequence, c.address)
   FROM pgpu_history c WHERE c.host_id = $1) AS history,
  (SELECT json_agg(to_jsonb(c) - 'host_id' ORDER BY c.enrolment, c.boot, c.sequence, c.uuid)
   FROM guest_history c WHERE c.host_id = $1) AS "guestHistory",
  (SELECT json_agg(to_jsonb(w) - 'host_id' ORDER BY w.since, w.until, w.enrolment, w.boot, w.sequence)
   FROM host_watch w WHERE w.host_id = $1) AS stretches`

/** Everything that is stored of a host, without its name, ids and our clock. */
export const dumpHost = async (database: Database, hostId: number): Promise<Record<string, unknown>> => {
  const [row] = await database.query(DUMP, [hostId], anyRow<Record<string, unknown>>())
  const [stored] = await loadStoredInventories(database.query, [hostId])
  return { ...row, inventory: stored === undefined ? null : await readStoredInventory(stored) }
}

import { pino } from 'pino'
import { describeHost } from '@/lib/domain/host/describe-host'
import { encodeReportJson, inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { CONTRACT_VERSION, type Position } from '@/lib/schemas/agent/report'
import type { Database } from '@/lib/server/database/database'
import type { AgentActor, HeartbeatMember, ReportMember } from '../group-member'
import { createReportIngest, type ReportIngest } from '../report-ingest'

/** A host with a credential, as an enrolment leaves it. */
export const enrolledActor = async (
  database: Database,
  cloudId: number,
  name: string,
): Promise<AgentActor> => {
  const host = await database.prisma.host.create({
    data: { cloudId, name, enrolment: 1 },
    select: { id: true },
  })
  const credential = await database.prisma.agentCredential.create({
    data: { cloudId, hostId: host.id, enrolment: 1, secretHash: 'none' },
    select: { id: true },
  })
  return {
    kind: 'agent',
    credentialId: credential.id,
    cloudId,
    hostId: host.id,
    hostName: name,
    enrolment: 1,
  }
}

export const startIngest = (database: Database, mostWaiting = 100): ReportIngest =>
  createReportIngest({ database, now: () => new Date(), log: pino({ level: 'silent' }), mostWaiting })

/** The parts of a console that keep something between reports. */
export type Keeping = Pick<ReportIngest, 'reader' | 'memory' | 'buildRows'>

/** A member as it comes out of the bytes that an agent sends. */
export const reportMember = async (
  { reader, memory, buildRows }: Keeping,
  { actor, inventory: told, position }: { actor: AgentActor; inventory: Inventory; position: Position },
): Promise<ReportMember> => {
  const sent = {
    contractVersion: CONTRACT_VERSION,
    agentVersion: '0.1.0',
    position,
    takenAt: '2026-01-01T00:00:00.000Z',
    digest: inventoryDigest(told),
    droppedReports: 0,
    inventory: told,
  } as const
  const report = reader.read(actor.hostId, Buffer.from(encodeReportJson(sent)))
  const description = describeHost(report.inventory, { hasRawFacts: false, memory })
  const rows = await buildRows({ report, description, clockProblem: null })
  const { digest, takenAt, droppedReports } = report
  return { kind: 'report', actor, position, digest, takenAt, droppedReports, rows, body: { base: null, full: Buffer.from(digest) } }
}

export const heartbeatMember = (
  actor: AgentActor,
  position: Position,
  inventory: Inventory,
): HeartbeatMember => ({ kind: 'heartbeat', actor, position, digest: inventoryDigest(inventory) })

const DUMP = `
SELECT
  (SELECT json_build_object('enrolment', enrolment, 'boot', boot, 'sequence', sequence, 'digest', digest, 'osName', os_name,
     'findings', findings, 'guests', guest_count, 'gpus', gpu_count, 'problems', problem_count) FROM host WHERE id = $1) AS host,
  (SELECT json_agg(to_jsonb(p) - 'id' - 'host_id' ORDER BY p.address) FROM pgpu p WHERE p.host_id = $1) AS pgpus,
  (SELECT json_agg(json_build_array(p.address, v.address, v.driver, v.current_type) ORDER BY v.address)
   FROM virtual_function v JOIN pgpu p ON p.id = v.pgpu_id WHERE p.host_id = $1) AS functions,
  (SELECT json_agg(to_jsonb(m) - 'id' - 'host_id' ORDER BY m.uuid) FROM mdev m WHERE m.host_id = $1) AS mdevs,
  (SELECT json_agg(to_jsonb(g) - 'id' - 'host_id' ORDER BY g.uuid) FROM guest g WHERE g.host_id = $1) AS guests,
  (SELECT json_agg(json_build_array(r.source, r.code, r.message) ORDER BY r.id) FROM problem r WHERE r.host_id = $1) AS problems,
  (SELECT json_agg(to_jsonb(c) - 'host_id' - 'at' ORDER BY c.boot, c.sequence, c.address)
   FROM pgpu_change c WHERE c.host_id = $1) AS history,
  (SELECT encode(body, 'escape') FROM host_inventory WHERE host_id = $1) AS body`

/** Everything that is stored of a host, without its name, ids and our clock. */
export const dumpHost = async (database: Database, hostId: number): Promise<Record<string, unknown>> => {
  const [row] = await database.query(DUMP, [hostId])
  return row ?? {}
}

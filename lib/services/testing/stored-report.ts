import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { CONTRACT_VERSION } from '@/lib/schemas/agent/report'
import type { Report } from '@/lib/schemas/agent/whole-report'
import type { Database } from '@/lib/server/database/database'
import { anyRow } from '@/lib/server/testing/any-row'
import type { AgentActor } from '@/lib/services/report/group-member'
import { memberOfReport } from '@/lib/services/report/ingest-report'
import { createReportIngest } from '@/lib/services/report/report-ingest'

/** Of the next report in the process; only its growing matters. */
let sequence = 0

const FIND = `
SELECT h.id AS "hostId", c.id AS "credentialId" FROM host h JOIN agent_credential c ON c.host_id = h.id AND c.enrolment = 1
WHERE h.cloud_id = $1 AND h.name = $2`

type Ids = Pick<AgentActor, 'hostId' | 'credentialId'>

const enroll = async (database: Database, cloudId: number, hostName: string): Promise<Ids> => {
  const { id: hostId } = await database.prisma.host.upsert({
    where: { cloudId_name: { cloudId, name: hostName } },
    create: { cloudId, name: hostName, enrolment: 1 },
    update: {},
    select: { id: true },
  })
  const { id: credentialId } = await database.prisma.agentCredential.upsert({
    where: { hostId_enrolment: { hostId, enrolment: 1 } },
    create: { cloudId, hostId, enrolment: 1, secretHash: 'none' },
    update: {},
    select: { id: true },
  })
  return { hostId, credentialId }
}

/** The host with its credential, as an enrolment leaves them; made when it is not there. */
const actorOf = async (database: Database, cloudId: number, hostName: string): Promise<AgentActor> => {
  const [known] = await database.query(FIND, [cloudId, hostName], anyRow<Ids>())
  const ids = known ?? (await enroll(database, cloudId, hostName))
  return { kind: 'agent', cloudId, hostName, enrolment: 1, ...ids }
}

/** Brings a host's report in through the real ingest. `body` replaces the bytes that are stored. */
export const storeReport = async (
  database: Database,
  {
    cloudId,
    inventory,
    seenAt = new Date(),
    sentAt = seenAt,
    agentVersion = '0.1.0',
    body,
  }: {
    cloudId: number
    inventory: Inventory
    seenAt?: Date
    /** The host's own clock. */
    sentAt?: Date
    agentVersion?: string
    body?: Buffer
  },
): Promise<void> => {
  const actor = await actorOf(database, cloudId, inventory.host.name)
  const ingest = createReportIngest({ database, now: () => seenAt, log: pino({ level: 'silent' }) })
  const report: Report = {
    contractVersion: CONTRACT_VERSION,
    agentVersion,
    position: { boot: 1, sequence: ++sequence },
    takenAt: seenAt.toISOString(),
    digest: inventoryDigest(inventory),
    droppedReports: 0,
    inventory,
  }
  const full = body ?? gzipSync(JSON.stringify(report))
  const arrival = { receivedAt: seenAt, sentAt, watchedMs: null }
  await ingest.commit(memberOfReport(actor, { report, body: full, arrival }))
  await ingest.stop()
}

import 'server-only'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { describeHost } from '@/lib/domain/host/describe-host'
import type { NovaRange } from '@/lib/domain/nova-config/nova-releases'
import type { Position, Watched } from '@/lib/schemas/agent/report'
import type { Report } from '@/lib/schemas/agent/whole-report'
import { AgentError } from '@/lib/server/errors/agent-error'
import type { AgentActor, HeartbeatMember, Outcome, ReportMember } from './group-member'
import { hostRows } from './host-rows'
import { clockProblem, takenMoment } from './report-clock'

/** The answer to an agent: whether its message counted, and the newest position that the console knows. */
export type Receipt = { isApplied: boolean; newest: Position }

const conflict = () =>
  new AgentError('conflict', 'The console does not hold the report of this digest. Send a full report.', {
    field: 'x-sliceboard-digest',
  })

const revoked = () =>
  new AgentError(
    'unauthorized',
    'The credential was revoked or replaced by a newer enrolment. Enrol the host again with a join token.',
  )

/** The receipt for the sender of a member, or the error that it gets. */
export const receiptOf = (outcome: Outcome): Receipt => {
  switch (outcome.kind) {
    case 'applied':
      return { isApplied: true, newest: outcome.newest }
    case 'late':
      return { isApplied: false, newest: outcome.newest }
    case 'conflict':
      throw conflict()
    case 'revoked':
      throw revoked()
  }
}

/** How a report arrived. */
export type ReportArrival = {
  /** Our clock when it began to arrive. */
  receivedAt: Date
  /** The host's clock as it sent it; null: the agent does not report it. */
  sentAt: Date | null
  /** How long before the scan the agent had scanned without a gap; null: it does not report it. */
  watchedMs: number | null
}

/** A checked report with the gzip of its JSON. */
type ArrivedReport = {
  report: Report
  body: Uint8Array
  arrival: ReportArrival
  /** Releases that the Nova of the host's cloud may be; null: not known. */
  range?: NovaRange | null
}

/** A checked report of the actor's own host on its way into the database. */
export const memberOfReport = (
  actor: AgentActor,
  { report, body, arrival, range = null }: ArrivedReport,
): ReportMember => {
  const { name } = report.inventory.host
  if (name !== actor.hostName) {
    throw new AgentError(
      'credential_of_other_host',
      `inventory.host.name is "${name}", but the credential is for host "${actor.hostName}". Enrol this host under its own name.`,
      { field: 'inventory.host.name' },
    )
  }
  const { position, digest, takenAt, droppedReports, inventory } = report
  const times = { takenAt: new Date(takenAt), sentAt: arrival.sentAt, receivedAt: arrival.receivedAt }
  const description = describeHost(inventory, { detail: 'rows', range })
  return {
    kind: 'report',
    actor,
    position,
    digest,
    takenAt,
    at: takenMoment(times),
    watchedMs: arrival.watchedMs,
    droppedReports,
    rows: hostRows({ report, description, clockProblem: clockProblem(times) }),
    body,
  }
}

type ArrivedHeartbeat = {
  position: Position
  digest: string
  receivedAt: Date
  /** Null: the agent does not report it. */
  watched: Watched | null
}

/** The scan behind a heartbeat is as old as the agent reports, by our clock at the receipt. */
export const memberOfHeartbeat = (
  actor: AgentActor,
  { position, digest, receivedAt, watched }: ArrivedHeartbeat,
): HeartbeatMember => {
  const at = receivedAt.getTime() - (watched?.agoMs ?? 0)
  return { kind: 'heartbeat', actor, position, digest, at, watchedMs: watched?.forMs ?? null }
}

const compress = promisify(gzip)

/** The gzip of a report's JSON that is stored: as it arrived, or made here when it arrived without compression. */
export const storedBody = (json: Buffer, gzipped: Buffer | null): Promise<Buffer> | Buffer =>
  gzipped ?? compress(json)

import 'server-only'
import { describeHost } from '@/lib/domain/host/describe-host'
import type { Position, Watched } from '@/lib/schemas/agent/report'
import type { Report } from '@/lib/schemas/agent/whole-report'
import { AgentError } from '@/lib/server/agent-api/agent-error'
import { clockProblem } from './clock-problem'
import type { AgentActor, HeartbeatMember, Outcome, ReportBody, ReportMember } from './group-member'
import type { HostRows } from './host-rows'
import type { ReportIngest } from './report-ingest'
import { takenMoment } from './taken-moment'

/** What the agent is told: whether its message counted, and where the console stands now. */
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

/** What the sender of a member is told, or the error that it gets. */
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

/** How a report came. */
export type ReportArrival = {
  /** Our clock when it began to arrive. */
  receivedAt: Date
  /** The host's clock as it sent it; null: it does not say. */
  sentAt: Date | null
  /** How long before the scan the agent had scanned without a gap; null: it does not say. */
  watchedMs: number | null
}

type ArrivedReport = { report: Report; body: ReportBody; arrival: ReportArrival }

/** A checked report of the actor's own host on its way into the database; at once unless the database is asked for its rows. */
export const memberOfReport = (
  { actor, ingest }: { actor: AgentActor; ingest: Pick<ReportIngest, 'buildRows' | 'reader'> },
  { report, body, arrival }: ArrivedReport,
): ReportMember | Promise<ReportMember> => {
  const { name } = report.inventory.host
  if (name !== actor.hostName) {
    throw new AgentError(
      'credential_of_other_host',
      `inventory.host.name is "${name}", but the credential is for host "${actor.hostName}". Enrol this host under its own name.`,
      { field: 'inventory.host.name' },
    )
  }
  const { receivedAt, sentAt, watchedMs } = arrival
  const clock = { takenAt: new Date(report.takenAt), sentAt, receivedAt }
  const memory = ingest.reader.memoryOf(actor.hostId)
  const { position, digest, takenAt, droppedReports } = report
  const at = takenMoment(clock)
  const withRows = (rows: HostRows): ReportMember => ({
    kind: 'report',
    actor,
    position,
    digest,
    takenAt,
    at,
    watchedMs,
    droppedReports,
    rows,
    body,
  })
  const rows = ingest.buildRows({
    report,
    description: describeHost(report.inventory, { hasDetails: false, memory: memory?.host }),
    clockProblem: clockProblem(clock),
    memory: memory?.rows,
  })
  return rows instanceof Promise ? rows.then(withRows) : withRows(rows)
}

type ArrivedHeartbeat = {
  position: Position
  digest: string
  receivedAt: Date
  /** Null: the agent does not say. */
  watched: Watched | null
}

/** The scan behind a heartbeat is as old as the agent says, by our clock at the receipt. */
export const memberOfHeartbeat = (
  actor: AgentActor,
  { position, digest, receivedAt, watched }: ArrivedHeartbeat,
): HeartbeatMember => {
  const at = receivedAt.getTime() - (watched?.agoMs ?? 0)
  return { kind: 'heartbeat', actor, position, digest, at, watchedMs: watched?.forMs ?? null }
}

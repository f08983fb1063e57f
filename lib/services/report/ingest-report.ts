import 'server-only'
import { describeHost } from '@/lib/domain/host/describe-host'
import type { Position, Watched } from '@/lib/schemas/agent/report'
import type { Report } from '@/lib/schemas/agent/whole-report'
import { AgentError } from '@/lib/server/agent-api/agent-error'
import { clockProblem } from './clock-problem'
import type { AgentActor, HeartbeatMember, Outcome, ReportBody, ReportMember } from './group-member'
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

const receiptOf = (outcome: Outcome): Receipt => {
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
type ReportArrival = {
  /** Our clock when it began to arrive. */
  receivedAt: Date
  /** The host's clock as it sent it; null: it does not say. */
  sentAt: Date | null
  /** How long before the scan the agent had scanned without a gap; null: it does not say. */
  watchedMs: number | null
}

type ArrivedReport = { report: Report; body: ReportBody } & ReportArrival

/** A checked report of the actor's own host on its way into the database. */
export const memberOfReport = async (
  { actor, ingest }: { actor: AgentActor; ingest: Pick<ReportIngest, 'buildRows' | 'reader'> },
  { report, body, receivedAt, sentAt, watchedMs }: ArrivedReport,
): Promise<ReportMember> => {
  const { name } = report.inventory.host
  if (name !== actor.hostName) {
    throw new AgentError(
      'credential_of_other_host',
      `inventory.host.name is "${name}", but the credential is for host "${actor.hostName}". Enrol this host under its own name.`,
      { field: 'inventory.host.name' },
    )
  }
  const clock = { takenAt: new Date(report.takenAt), sentAt, receivedAt }
  const memory = ingest.reader.memoryOf(actor.hostId)
  const rows = await ingest.buildRows({
    report,
    description: describeHost(report.inventory, { hasRawFacts: false, memory: memory?.host }),
    clockProblem: clockProblem(clock),
    memory: memory?.rows,
  })
  const { position, digest, takenAt, droppedReports } = report
  const at = takenMoment(clock)
  return { kind: 'report', actor, position, digest, takenAt, at, watchedMs, droppedReports, rows, body }
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

type Ctx = { actor: AgentActor; ingest: ReportIngest }

/** Takes a checked report of the actor's own host. Resolves once it is committed; second and late ones change nothing. */
export const ingestReport = async (ctx: Ctx, arrived: ArrivedReport): Promise<Receipt> =>
  receiptOf(await ctx.ingest.commit(await memberOfReport(ctx, arrived)))

/** Takes an agent's word that nothing changed since the report of this digest. */
export const ingestHeartbeat = async ({ actor, ingest }: Ctx, arrived: ArrivedHeartbeat): Promise<Receipt> =>
  receiptOf(await ingest.commit(memberOfHeartbeat(actor, arrived)))

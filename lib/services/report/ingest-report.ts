import 'server-only'
import { describeHost } from '@/lib/domain/host/describe-host'
import type { Position, Report } from '@/lib/schemas/agent/report'
import { AgentError } from '@/lib/server/agent-api/agent-error'
import { clockProblem } from './clock-problem'
import type { AgentActor, Outcome, ReportBody } from './group-member'
import type { ReportIngest } from './report-ingest'

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

type Ctx = { actor: AgentActor; now: () => Date; ingest: ReportIngest }

/** Takes a checked report of the actor's own host. Resolves once it is committed; second and late ones change nothing. */
export const ingestReport = async (
  { actor, now, ingest }: Ctx,
  { report, body, sentAt }: { report: Report; body: ReportBody; sentAt: Date | null },
): Promise<Receipt> => {
  const { name } = report.inventory.host
  if (name !== actor.hostName) {
    throw new AgentError(
      'credential_of_other_host',
      `inventory.host.name is "${name}", but the credential is for host "${actor.hostName}". Enrol this host under its own name.`,
      { field: 'inventory.host.name' },
    )
  }
  const rows = await ingest.buildRows({
    report,
    description: describeHost(report.inventory, { hasRawFacts: false, memory: ingest.memory }),
    clockProblem: clockProblem({ takenAt: new Date(report.takenAt), sentAt, receivedAt: now() }),
  })
  const { position, digest, takenAt, droppedReports } = report
  return receiptOf(
    await ingest.commit({ kind: 'report', actor, position, digest, takenAt, droppedReports, rows, body }),
  )
}

/** Takes an agent's word that nothing changed since the report of this digest. */
export const ingestHeartbeat = async (
  { actor, ingest }: Ctx,
  { position, digest }: { position: Position; digest: string },
): Promise<Receipt> => receiptOf(await ingest.commit({ kind: 'heartbeat', actor, position, digest }))

import 'server-only'
import type { FindingDetail } from '@/lib/schemas/api/finding'
import { type AcknowledgeFinding, acknowledgeFindingSchema } from '@/lib/schemas/api/finding-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import type { Connection } from '@/lib/server/database/database'
import { lockRow } from '@/lib/server/database/lock-row'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { getFinding, noSuchFinding } from './get-finding'

type Acknowledgement = { until: Date | null; note: string | null }
type Open = Acknowledgement & { key: string; cloud: string }

/** The finding, which no other transaction changes until this one ends. */
const lockOpen = async (ctx: ServiceContext, { prisma, query }: Connection, id: number): Promise<Open> => {
  await lockRow(query, 'finding', id)
  const found = await prisma.finding.findUnique({
    where: { id },
    select: {
      key: true,
      closedAt: true,
      acknowledgedUntil: true,
      note: true,
      cloud: { select: { name: true } },
    },
  })
  if (found === null || !seesCloud(ctx.actor, found.cloud.name)) throw noSuchFinding(id)
  if (found.closedAt !== null)
    throw new ServiceError(
      'conflict',
      `Finding ${id} was closed at ${found.closedAt.toISOString()}: the trouble is gone, so there is nothing to acknowledge.`,
    )
  return { key: found.key, cloud: found.cloud.name, until: found.acknowledgedUntil, note: found.note }
}

const auditOf = ({ until, note }: Acknowledgement) => ({
  until: until?.toISOString() ?? null,
  note,
})

/** Acknowledges a finding with the reason and an end date. Repeating it replaces note and date. */
export const acknowledgeFinding = async (
  ctx: ServiceContext,
  { id, body }: { id: number; body: AcknowledgeFinding },
): Promise<FindingDetail> => {
  requirePermission(ctx, 'finding.acknowledge')
  const { note, days } = parseInput(acknowledgeFindingSchema, body)
  const at = ctx.now()
  const until = new Date(at.getTime() + days * 86_400_000)
  const by = describeActor(ctx.actor)
  await ctx.database.transaction(async (connection) => {
    const before = await lockOpen(ctx, connection, id)
    await connection.prisma.finding.update({
      where: { id },
      data: {
        acknowledgedBy: by,
        acknowledgedAt: at,
        acknowledgedUntil: until,
        note,
        events: { create: { at, kind: 'acknowledged', actor: by, note } },
      },
      select: { id: true },
    })
    await writeAudit(connection.query, {
      at,
      actor: ctx.actor,
      cloud: before.cloud,
      action: 'finding.acknowledge',
      subject: `finding:${before.key}`,
      before: { cloud: before.cloud, ...auditOf(before) },
      after: auditOf({ until, note }),
    })
  })
  return getFinding(ctx, { id })
}

/** Takes the acknowledgement back: the finding counts as open again. Doing it twice changes nothing. */
export const endAcknowledgement = async (
  ctx: ServiceContext,
  { id }: { id: number },
): Promise<FindingDetail> => {
  requirePermission(ctx, 'finding.acknowledge')
  const at = ctx.now()
  await ctx.database.transaction(async (connection) => {
    const before = await lockOpen(ctx, connection, id)
    if (before.until === null) return
    await connection.prisma.finding.update({
      where: { id },
      data: {
        acknowledgedBy: null,
        acknowledgedAt: null,
        acknowledgedUntil: null,
        note: null,
        events: { create: { at, kind: 'acknowledgement-ended', actor: describeActor(ctx.actor) } },
      },
      select: { id: true },
    })
    await writeAudit(connection.query, {
      at,
      actor: ctx.actor,
      cloud: before.cloud,
      action: 'finding.end-acknowledgement',
      subject: `finding:${before.key}`,
      before: { cloud: before.cloud, ...auditOf(before) },
      after: auditOf({ until: null, note: null }),
    })
  })
  return getFinding(ctx, { id })
}

import 'server-only'
import { isFindingCode } from '@/lib/domain/findings/finding-title'
import { type AcknowledgeFinding, acknowledgeFindingSchema } from '@/lib/schemas/api/finding-inputs'
import type { FindingMuteList } from '@/lib/schemas/api/finding-mute'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import type { PrismaConnection } from '@/lib/server/database/database'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { listFindingMutes } from './list-finding-mutes'

const loadAudited = async ({ prisma }: PrismaConnection, key: { cloudId: number; code: string }) => {
  const mute = await prisma.findingMute.findUnique({ where: { cloudId_code: key } })
  return mute === null ? null : { until: mute.until.toISOString(), note: mute.note }
}

/** Mutes the findings of a kind until a date, also those that are found later. Repeating it replaces note and date. */
export const muteFindings = async (
  ctx: ServiceContext,
  { code, body, ...scope }: CloudScope & { code: string; body: AcknowledgeFinding },
): Promise<FindingMuteList> => {
  requirePermission(ctx, 'finding.acknowledge')
  const { note, days } = parseInput(acknowledgeFindingSchema, body)
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, scope))
  if (!isFindingCode(code))
    throw new ServiceError('not_found', `There is no kind of finding with the code ${code}.`, {
      field: 'code',
    })
  const key = { cloudId: cloud.id, code }
  const at = ctx.now()
  const until = new Date(at.getTime() + days * 86_400_000)
  const mute = { note, until, mutedBy: describeActor(ctx.actor), mutedAt: at }
  await ctx.database.transaction(async (connection) => {
    const before = await loadAudited(connection, key)
    await connection.prisma.findingMute.upsert({
      where: { cloudId_code: key },
      create: { ...key, ...mute },
      update: mute,
    })
    await writeAudit(connection.query, {
      at,
      actor: ctx.actor,
      cloud: cloud.name,
      action: 'finding.mute',
      subject: `finding:${code}`,
      before,
      after: { until: until.toISOString(), note },
    })
  })
  return listFindingMutes(ctx, { cloud: cloud.name })
}

/** Ends a mute: the findings of the kind count as open again. Repeating it changes nothing. */
export const unmuteFindings = async (
  ctx: ServiceContext,
  { code, ...scope }: CloudScope & { code: string },
): Promise<FindingMuteList> => {
  requirePermission(ctx, 'finding.acknowledge')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, scope))
  const key = { cloudId: cloud.id, code }
  await ctx.database.transaction(async (connection) => {
    const before = await loadAudited(connection, key)
    const { count } = await connection.prisma.findingMute.deleteMany({ where: key })
    if (count === 0) return
    await writeAudit(connection.query, {
      at: ctx.now(),
      actor: ctx.actor,
      cloud: cloud.name,
      action: 'finding.unmute',
      subject: `finding:${code}`,
      before,
      after: null,
    })
  })
  return listFindingMutes(ctx, { cloud: cloud.name })
}

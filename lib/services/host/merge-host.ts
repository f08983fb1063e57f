import 'server-only'
import type { HostMergePreview } from '@/lib/schemas/api/host-removal'
import {
  type MergeHost,
  type MergePreviewScope,
  mergeHostScopeSchema,
  mergePreviewScopeSchema,
} from '@/lib/schemas/api/host-removal-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { retryDeadlock } from '@/lib/server/database/deadlock'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { logRevokedAgents } from '@/lib/services/restore/log-revocation'
import { endHost } from './end-host'
import { planMerge } from './plan-merge'

/** What merging the history of a host into another one would do. Writes nothing. */
export const previewMerge = async (
  ctx: ServiceContext,
  input: MergePreviewScope,
): Promise<HostMergePreview> => {
  requirePermission(ctx, 'fleet.read')
  const { host, from, ...scope } = parseInput(mergePreviewScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  return (await planMerge(ctx.database, { cloud, from, into: host, isLocked: false })).preview
}

/**
 * Merges a renamed or reinstalled host: `host` continues the history of `from`, which is removed. Frozen reviews stay as
 * they are. Merging the same hosts again changes nothing.
 */
export const mergeHost = async (ctx: ServiceContext, input: MergeHost): Promise<HostMergePreview> => {
  requirePermission(ctx, 'host.remove')
  const { host, from, reason, ...scope } = parseInput(mergeHostScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const at = ctx.now()
  const { merged, revokedIds } = await retryDeadlock(() =>
    ctx.database.transaction(async (connection) => {
      const plan = await planMerge(connection, { cloud, from, into: host, isLocked: true })
      const { preview } = plan
      if (preview.refusal !== null) throw new ServiceError('conflict', preview.refusal, { field: 'from' })
      if (plan.from.mergedInto?.name === plan.into.name) return { merged: preview, revokedIds: [] }
      const ended = await endHost(connection, {
        cloudId: cloud.id,
        host: plan.from,
        at,
        historyEndsAt: plan.historyEndsAt,
        actor: describeActor(ctx.actor),
        reason,
        mergedIntoId: plan.into.id,
        note: `Host merged into ${plan.into.name}: ${reason}`,
      })
      await writeAudit(connection.query, {
        at,
        actor: ctx.actor,
        cloud: cloud.name,
        action: 'host.merge',
        subject: `host:${plan.into.name}`,
        before: { from: plan.from.name, removedAt: plan.from.removedAt?.toISOString() ?? null },
        after: { reason, continuesAt: plan.historyEndsAt.toISOString(), ...ended },
      })
      return { merged: preview, revokedIds: ended.revokedCredentialIds }
    }),
  )
  logRevokedAgents(ctx.log, { at, ids: revokedIds })
  return merged
}

import 'server-only'
import {
  type RestoreHost,
  removedHostParamsSchema,
  restoreHostSchema,
} from '@/lib/schemas/api/host-removal-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'
import { lockRow } from '@/lib/server/database/lock-row'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { restoreRefusalOf } from '@/lib/services/stored-host/removed-host-rows'
import { resumeHistory } from './host-history'

// SQL: readers compare the number of the transaction.
const RESTORE = `
UPDATE host SET removed_at = NULL, removed_by = NULL, removed_reason = NULL, merged_into_id = NULL,
  changed_xid = pg_current_xact_id()::text::bigint WHERE id = $1`

/** Restores a removed host whose row is locked, with what it reported last. Its agent needs a new credential. */
export const resumeHost = async (query: Query, { id, at }: { id: number; at: Date }): Promise<void> => {
  await resumeHistory(query, [id], at)
  await query(RESTORE, [id])
}

/** Restores a host that was removed by mistake. Restoring a host that is not removed changes nothing. */
export const restoreHost = async (ctx: ServiceContext, input: RestoreHost): Promise<void> => {
  requirePermission(ctx, 'host.remove')
  const { id, ...body } = input
  const { reason } = parseInput(restoreHostSchema, body)
  const host = parseInput(removedHostParamsSchema, { id })
  const at = ctx.now()
  await ctx.database.transaction(async ({ query, prisma }) => {
    await lockRow(query, 'host', host.id)
    const found = await prisma.host.findUnique({
      where: host,
      select: {
        id: true,
        name: true,
        removedAt: true,
        removedBy: true,
        removedReason: true,
        cloud: { select: { name: true } },
        mergedInto: { select: { name: true } },
      },
    })
    if (found === null || !seesCloud(ctx.actor, found.cloud.name))
      throw new ServiceError('not_found', `There is no removed host ${host.id}. Reload the list.`, {
        field: 'id',
      })
    if (found.removedAt === null) return
    const refusal = restoreRefusalOf(found.name)
    if (refusal !== null) throw new ServiceError('conflict', refusal, { field: 'id' })
    await resumeHost(query, { id: found.id, at })
    await writeAudit(query, {
      at,
      actor: ctx.actor,
      cloud: found.cloud.name,
      action: 'host.restore',
      subject: `host:${found.name}`,
      before: {
        removedAt: found.removedAt.toISOString(),
        removedBy: found.removedBy,
        reason: found.removedReason,
        mergedInto: found.mergedInto?.name ?? null,
      },
      after: { reason },
    })
  })
}

import { uncheckedRow } from '@/lib/server/database/row'
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
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { restoreRefusalOf } from '@/lib/services/stored-host/removed-host-rows'
import { resumeHistory } from './host-history'

type Row = {
  id: number
  name: string
  cloud: string
  removedAt: Date | null
  removedBy: string | null
  reason: string | null
  mergedInto: string | null
}

const LOCK = `
SELECT h.id, h.name, c.name AS cloud, h.removed_at AS "removedAt", h.removed_by AS "removedBy",
  h.removed_reason AS reason, (SELECT m.name FROM host m WHERE m.id = h.merged_into_id) AS "mergedInto"
FROM host h JOIN cloud c ON c.id = h.cloud_id WHERE h.id = $1 FOR NO KEY UPDATE OF h`

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
  await ctx.database.transaction(async ({ query }) => {
    const [found] = await query(LOCK, [host.id], uncheckedRow<Row>())
    if (found === undefined || !seesCloud(ctx.actor, found.cloud))
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
      cloud: found.cloud,
      action: 'host.restore',
      subject: `host:${found.name}`,
      before: {
        removedAt: found.removedAt.toISOString(),
        removedBy: found.removedBy,
        reason: found.reason,
        mergedInto: found.mergedInto,
      },
      after: { reason },
    })
  })
}

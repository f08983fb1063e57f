import 'server-only'
import * as z from 'zod'
import type { FindingCounts } from '@/lib/schemas/api/finding-counts'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { isOpenAt } from './finding-row'

// SQL: one small statement with conditional counts: every page requests it.
const COUNT = `
SELECT count(*) FILTER (WHERE f.severity = 'error')::int AS error,
  count(*) FILTER (WHERE f.severity = 'warning')::int AS warning,
  count(*) FILTER (WHERE f.severity = 'info')::int AS info,
  (SELECT started_at FROM cloud_round WHERE cloud_id = $1) AS "readAt"
FROM finding f WHERE f.cloud_id = $1 AND ${isOpenAt('$2')}`

const countRow = z.object({ error: z.int(), warning: z.int(), info: z.int(), readAt: z.date().nullable() })

/** How many findings of a cloud are open, not acknowledged and not muted. */
export const countFindings = async (ctx: ServiceContext, input: CloudScope): Promise<FindingCounts> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const [row] = await ctx.database.query(COUNT, [cloud.id, ctx.now()], countRow)
  const { error = 0, warning = 0, info = 0, readAt = null } = row ?? {}
  return { cloud: cloud.name, readAt: readAt?.toISOString() ?? null, open: { error, warning, info } }
}

import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { ChangeCounts } from '@/lib/schemas/api/change-counts'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'

const COUNT = `
SELECT count(*) FILTER (WHERE state IN ('running', 'undoing'))::int AS running,
  count(*) FILTER (WHERE state = 'stopped')::int AS stopped
FROM change WHERE cloud_id = $1 AND state IN ('running', 'undoing', 'stopped')`

type Row = Pick<ChangeCounts, 'running' | 'stopped'>

/** How many changes of a cloud are in hand. One small statement: every page asks for it. */
export const countChanges = async (ctx: ServiceContext, input: CloudScope): Promise<ChangeCounts> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const [row] = await ctx.database.query(COUNT, [cloud.id], uncheckedRow<Row>())
  const { running = 0, stopped = 0 } = row ?? {}
  return { cloud: cloud.name, running, stopped }
}

import 'server-only'
import type { RefusedDemand, RefusedGroup } from '@/lib/schemas/api/refused-demand'
import { type RefusedDemandScope, refusedDemandScopeSchema } from '@/lib/schemas/api/scope'
import { parseInput } from '@/lib/server/parse-input'
import { requirePermission } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'
import { findCloud } from '@/lib/services/cloud/find-cloud'

const MOST_GROUPS = 500

const DURING = 'WHERE cloud_id = $1 AND at >= $2 AND at <= $3'

type GroupRow = Omit<RefusedGroup, 'firstAt' | 'lastAt'> & { firstAt: Date; lastAt: Date }

const GROUPS = `
SELECT flavor_name AS "flavorName", project_id AS "projectId", reason, count(*)::int AS servers,
  min(at) AS "firstAt", max(at) AS "lastAt", (array_agg(project_name ORDER BY at DESC))[1] AS "projectName",
  (array_agg(said ORDER BY at DESC))[1] AS said
FROM refused_server ${DURING}
GROUP BY flavor_name, project_id, reason
ORDER BY servers DESC, "lastAt" DESC, flavor_name, project_id, reason LIMIT ${MOST_GROUPS}`

const DAYS = `
SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, reason, count(*)::int AS servers
FROM refused_server ${DURING} GROUP BY day, reason ORDER BY day, reason`

/** Who wanted a GPU and got none, by flavor, project and reason: what no other program keeps. */
export const getRefusedDemand = async (
  ctx: ServiceContext,
  input: RefusedDemandScope,
): Promise<RefusedDemand> => {
  requirePermission(ctx, 'fleet.read')
  const scope = parseInput(refusedDemandScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const until = ctx.now()
  const since = new Date(until.getTime() - scope.days * 86_400_000)
  const during = [cloud.id, since, until]
  const groups = await ctx.database.history<GroupRow>(GROUPS, during)
  const days = await ctx.database.history<RefusedDemand['days'][number]>(DAYS, during)
  return {
    cloud: cloud.name,
    since: since.toISOString(),
    until: until.toISOString(),
    servers: days.reduce((sum, { servers }) => sum + servers, 0),
    groups: groups.map(({ firstAt, lastAt, ...group }) => ({
      ...group,
      firstAt: new Date(firstAt).toISOString(),
      lastAt: new Date(lastAt).toISOString(),
    })),
    days,
  }
}

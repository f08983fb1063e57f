import 'server-only'
import * as z from 'zod'
import { refusedPoints } from '@/lib/domain/demand/refused-points'
import { type RefusedDemand, refusalReasonSchema, refusedGroupSchema } from '@/lib/schemas/api/refused-demand'
import type { RefusedDemandScope } from '@/lib/schemas/api/refused-demand-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { firstKnown } from '@/lib/services/capacity/first-known'
import { DURING, requestedDemand, STEP_OF } from './load-refused'

const MAX_GROUPS = 500

// SQL: aggregates of the history, which a replica may answer.
const GROUPS = `
SELECT flavor_name AS "flavorName", project_id AS "projectId", reason, count(*)::int AS servers,
  min(at) AS "firstAt", max(at) AS "lastAt", (array_agg(project_name ORDER BY at DESC))[1] AS "projectName",
  (array_agg(said ORDER BY at DESC))[1] AS message
FROM refused_server ${DURING}
GROUP BY flavor_name, project_id, reason
ORDER BY servers DESC, "lastAt" DESC, flavor_name, project_id, reason LIMIT ${MAX_GROUPS}`
const groupRow = z.object({ ...refusedGroupSchema.shape, firstAt: z.date(), lastAt: z.date() })

const DAYS = `
SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, reason, count(*)::int AS servers
FROM refused_server ${DURING} GROUP BY day, reason ORDER BY day, reason`
const dayRow = z.object({ day: z.string(), reason: refusalReasonSchema, servers: z.int() })

const POINTS = `
SELECT ${STEP_OF} AS at, reason, count(*)::int AS servers FROM refused_server ${DURING} GROUP BY 1, reason`
const pointRow = z.object({ at: z.number(), reason: refusalReasonSchema, servers: z.int() })

/** Who wanted a GPU and got none, over time and by flavor, project and reason: what no other program keeps. */
export const getRefusedDemand = async (
  ctx: ServiceContext,
  input: RefusedDemandScope,
): Promise<RefusedDemand> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud, from, until, stepMs, params } = await requestedDemand(ctx, input)
  const { history: query } = ctx.database
  const groups = await query(GROUPS, params, groupRow)
  const days = await query(DAYS, params, dayRow)
  const counts = await query(POINTS, [...params, stepMs], pointRow)
  const first = await firstKnown(query, cloud.id)
  const points = refusedPoints(counts, { from, until, stepMs, firstKnown: first })
  return {
    cloud: cloud.name,
    since: new Date(from).toISOString(),
    until: new Date(until).toISOString(),
    servers: days.reduce((sum, { servers }) => sum + servers, 0),
    groups: groups.map(({ firstAt, lastAt, ...group }) => ({
      ...group,
      firstAt: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
    })),
    firstKnownAt: first === null ? null : new Date(first).toISOString(),
    stepSeconds: stepMs / 1000,
    points: points.map(({ at, servers }) => ({ at: new Date(at).toISOString(), servers })),
    days,
  }
}

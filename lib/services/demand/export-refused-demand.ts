import 'server-only'
import * as z from 'zod'
import { refusedFileName } from '@/lib/domain/demand/refused-file-name'
import { refusalReasonSchema } from '@/lib/schemas/api/refused-demand'
import type { RefusedDemandScope } from '@/lib/schemas/api/refused-demand-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { csvText } from '@/lib/util/encode/csv'
import type { Encoded } from '@/lib/util/encode/encoded'
import { DURING, requestedDemand, STEP_OF } from './load-refused'

// SQL: aggregates of the history, which a replica may answer.
const ROWS = `
SELECT ${STEP_OF} AS at, flavor_name AS "flavorName", project_id AS "projectId", reason, count(*)::int AS servers,
  (array_agg(project_name ORDER BY at DESC))[1] AS "projectName"
FROM refused_server ${DURING} GROUP BY 1, flavor_name, project_id, reason ORDER BY 1, flavor_name, project_id, reason`

const exportRow = z.object({
  at: z.number(),
  flavorName: z.string().nullable(),
  projectId: z.string(),
  projectName: z.string().nullable(),
  reason: refusalReasonSchema,
  servers: z.int(),
})

const HEAD = ['at', 'step_seconds', 'flavor', 'project', 'project_id', 'reason', 'servers']

/** Refused GPU requests as a table: a row for each time, flavor, project and reason with a refusal. */
export const exportRefusedDemand = async (
  ctx: ServiceContext,
  input: RefusedDemandScope,
): Promise<{ name: string; text: Encoded<'csv'> }> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud, from, until, flavor, project, stepMs, params } = await requestedDemand(ctx, input)
  const rows = await ctx.database.history(ROWS, [...params, stepMs], exportRow)
  return {
    name: `${refusedFileName({ cloud: cloud.name, flavor, project, since: new Date(from).toISOString(), until: new Date(until).toISOString() })}.csv`,
    text: csvText([
      HEAD,
      ...rows.map(({ at, flavorName, projectName, projectId, reason, servers }) => [
        new Date(at).toISOString(),
        stepMs / 1000,
        flavorName,
        projectName,
        projectId,
        reason,
        servers,
      ]),
    ]),
  }
}

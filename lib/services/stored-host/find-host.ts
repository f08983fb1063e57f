import 'server-only'
import * as z from 'zod'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { bigintColumn } from '@/lib/server/database/row'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Cloud } from '@/lib/services/cloud/find-cloud'

/** `host.problems`: what the agent could not read, and what the console adds itself, such as a clock that is off. */
export const hostProblemsSchema = z.array(
  z.object({ source: z.string(), code: z.string(), message: z.string() }),
)

const hostRow = z.object({
  id: z.int(),
  name: z.string(),
  digest: z.string().nullable(),
  agentVersion: z.string().nullable(),
  contractRevision: z.int(),
  droppedReports: z.int(),
  takenAt: z.date().nullable(),
  reportedAt: z.date().nullable(),
  seenAt: z.date().nullable(),
  /** Rises with every change of what is stored of the host. */
  changedXid: bigintColumn,
  problems: hostProblemsSchema,
})
export type HostRow = z.infer<typeof hostRow>

// SQL: every request about a host begins here, and each step of a change.
const FIND = `
SELECT id, name, digest, agent_version AS "agentVersion", contract_revision AS "contractRevision",
  dropped_reports AS "droppedReports", taken_at AS "takenAt", reported_at AS "reportedAt", seen_at AS "seenAt", changed_xid AS "changedXid", problems
FROM current_host WHERE cloud_id = $1 AND name = $2`

/** A host of the cloud by its canonical name. For services that have checked the caller's permission. */
export const findHost = async (
  ctx: ServiceContext,
  { cloud, host: name }: { cloud: Cloud; host: string },
): Promise<HostRow> => {
  const [found] = await ctx.database.query(FIND, [cloud.id, name], hostRow)
  if (found !== undefined) return found
  throw new ServiceError(
    'not_found',
    `Cloud "${cloud.name}" has no host named "${name}". Check the name, or add the host under Settings, Agents.`,
    { field: 'host' },
  )
}

import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Cloud } from '@/lib/services/cloud/find-cloud'

export type HostRow = {
  id: number
  name: string
  digest: string | null
  agentVersion: string | null
  contractRevision: number
  droppedReports: number
  takenAt: Date | null
  reportedAt: Date | null
  seenAt: Date | null
  /** Rises with every change of what is stored of the host. */
  changedXid: number | bigint
  /** To be parsed by `hostProblemsSchema`. */
  problems: unknown
}

const FIND = `
SELECT id, name, digest, agent_version AS "agentVersion", contract_revision AS "contractRevision",
  dropped_reports AS "droppedReports", taken_at AS "takenAt", reported_at AS "reportedAt", seen_at AS "seenAt", changed_xid AS "changedXid", problems
FROM current_host WHERE cloud_id = $1 AND name = $2`

/**
 * A host of the cloud by its canonical name. For services that have checked the caller's permission. Plain SQL, because
 * every question about a host begins here, and each step of a change.
 */
export const findHost = async (
  ctx: ServiceContext,
  { cloud, host: name }: { cloud: Cloud; host: string },
): Promise<HostRow> => {
  const [found] = await ctx.database.query(FIND, [cloud.id, name], uncheckedRow<HostRow>())
  if (found !== undefined) return found
  throw new ServiceError(
    'not_found',
    `Cloud "${cloud.name}" has no host named "${name}". Check the name, or add the host under Settings, Agents.`,
    { field: 'host' },
  )
}

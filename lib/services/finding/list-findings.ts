import 'server-only'
import type { FindingList } from '@/lib/schemas/api/finding'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { parseInput } from '@/lib/server/parse-input'
import { requirePermission } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { type FindingRow, LISTED_COLUMNS, SEVERITY_RANK, trackedFinding } from './finding-row'

/** Closed findings are history: the newest are listed, the rest is counted. */
const MOST_CLOSED = 500

const OPEN = `
SELECT ${LISTED_COLUMNS} FROM finding f WHERE f.cloud_id = $1 AND f.closed_at IS NULL
ORDER BY ${SEVERITY_RANK}, f.opened_at DESC, f.key`

const CLOSED = `
SELECT ${LISTED_COLUMNS} FROM finding f WHERE f.cloud_id = $1 AND f.closed_at IS NOT NULL
ORDER BY f.closed_at DESC, f.key LIMIT $2`

const COUNT_CLOSED = `
SELECT (SELECT count(*)::int FROM finding WHERE cloud_id = $1 AND closed_at IS NOT NULL) AS closed,
  (SELECT started_at FROM cloud_round WHERE cloud_id = $1) AS "readAt"`

/** Findings of a cloud: all that are open, most urgent first, then those closed last. */
export const listFindings = async (ctx: ServiceContext, input: CloudScope): Promise<FindingList> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const { query } = ctx.database
  const [open, closed, [counted]] = await Promise.all([
    query<FindingRow>(OPEN, [cloud.id]),
    query<FindingRow>(CLOSED, [cloud.id, MOST_CLOSED]),
    query<{ closed: number; readAt: Date | null }>(COUNT_CLOSED, [cloud.id]),
  ])
  const now = ctx.now()
  return {
    cloud: cloud.name,
    readAt: counted?.readAt?.toISOString() ?? null,
    findings: [...open, ...closed].map((row) => trackedFinding(row, now)),
    moreClosed: (counted?.closed ?? 0) - closed.length,
  }
}

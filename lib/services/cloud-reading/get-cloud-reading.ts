import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { ApiVersions } from '@/lib/domain/cloud/types'
import type { CloudReadingDto } from '@/lib/schemas/api/cloud-reading'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { CLOUD_PARTS } from './cloud-parts'
import type { StoredCost } from './store-round'

type RoundRow = {
  number: number
  startedAt: Date
  tookMs: number
  cost: StoredCost[]
  notes: string[]
  waitingRequests: number
  versions: ApiVersions
}

type PartRow = {
  part: string
  items: number | null
  at: Date | null
  error: string | null
  failingSince: Date | null
}

const ROUND = `
SELECT number, started_at AS "startedAt", took_ms AS "tookMs", cost, notes, waiting_requests AS "waitingRequests",
  versions FROM cloud_round WHERE cloud_id = $1`

const PARTS = `
SELECT part, items, at, error, failing_since AS "failingSince" FROM cloud_part WHERE cloud_id = $1`

const partOf = (part: string, row: PartRow | undefined): CloudReadingDto['parts'][number] => ({
  part,
  items: row?.items ?? null,
  at: row?.at?.toISOString() ?? null,
  error: row?.error ?? null,
  failingSince: row?.failingSince?.toISOString() ?? null,
})

const roundOf = (row: RoundRow): NonNullable<CloudReadingDto['round']> => ({
  number: row.number,
  startedAt: row.startedAt.toISOString(),
  tookMs: row.tookMs,
  requests: row.cost.reduce((sum, { requests }) => sum + requests, 0),
  waitingRequests: row.waitingRequests,
  notes: row.notes,
})

/** How OpenStack was read last: what it cost, and what each service and part said. */
export const getCloudReading = async (ctx: ServiceContext, input: CloudScope): Promise<CloudReadingDto> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const { query } = ctx.database
  const [round] = await query(ROUND, [cloud.id], uncheckedRow<RoundRow>())
  const parts = round === undefined ? [] : await query(PARTS, [cloud.id], uncheckedRow<PartRow>())
  return {
    cloud: cloud.name,
    region: cloud.region,
    round: round === undefined ? null : roundOf(round),
    services: (round?.cost ?? []).map((cost) => ({
      service: cost.service,
      version: round?.versions[cost.service] ?? null,
      requests: cost.requests,
      ms: cost.ms,
      error: cost.error,
      lastError: cost.lastError,
      lastErrorAt: cost.lastErrorAt,
    })),
    parts:
      parts.length === 0
        ? []
        : CLOUD_PARTS.map((part) =>
            partOf(
              part,
              parts.find((row) => row.part === part),
            ),
          ),
  }
}

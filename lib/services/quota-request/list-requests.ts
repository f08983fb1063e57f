import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { limitTable } from '@/lib/domain/limits/limit-view'
import { type QuotaTable, quotaTable } from '@/lib/domain/limits/quota-table'
import type { ListedRequest, RequestList } from '@/lib/schemas/api/quota-request'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from '@/lib/services/cloud-reading/load-fleet'
import { loadRequests, type RequestRow, requestDto } from './request-rows'

const MAX_LISTED = 300

/** Limits as they were read last; Placement is not asked. */
const tableOf = (fleet: Fleet | undefined): QuotaTable | null => {
  const view = fleet === undefined ? null : limitTable(fleet)
  return fleet === undefined || view === null ? null : quotaTable(fleet, { view, uses: new Map() })
}

const keyOf = ({ projectId, resourceName }: Pick<RequestRow, 'projectId' | 'resourceName'>): string =>
  `${projectId} ${resourceName}`

const listedBy = (table: QuotaTable | null): ((row: RequestRow) => ListedRequest) => {
  const limits = new Map(table?.rows.map((row) => [keyOf(row), row.limit]))
  const classes = new Map(table?.classes.map((each) => [each.resourceName, each]))
  return (row) => {
    const found = classes.get(row.resourceName)
    return {
      ...requestDto(row),
      limit: limits.get(keyOf(row)) ?? null,
      promised: found?.sum ?? null,
      capacity: found?.capacity?.value ?? null,
    }
  }
}

/** Requests of all projects of a cloud: the open ones first, as they came, then the others, the newest first. */
export const listRequests = async (ctx: ServiceContext, input: CloudScope): Promise<RequestList> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const open = await loadRequests(ctx.database, {
    where: { cloudId: cloud.id, state: 'open' },
    orderBy: { id: 'asc' },
    take: MAX_LISTED + 1,
  })
  const others = await loadRequests(ctx.database, {
    where: { cloudId: cloud.id, state: { not: 'open' } },
    orderBy: { id: 'desc' },
    take: MAX_LISTED + 1 - open.length,
  })
  const rows = [...open, ...others]
  const listed = rows.slice(0, MAX_LISTED)
  const loaded = listed.length === 0 ? null : await loadFleet(ctx, cloud)
  return {
    cloud: cloud.name,
    isCut: rows.length > listed.length,
    requests: listed.map(listedBy(tableOf(loaded?.fleet))),
  }
}

import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { limitTable } from '@/lib/domain/limits/limit-view'
import { type QuotaTable, quotaTableInSteps } from '@/lib/domain/limits/quota-table'
import { arrangeRequests, groupOf } from '@/lib/domain/quota-request/arrange-requests'
import type { ListedRequest, RequestGroup, RequestList } from '@/lib/schemas/api/quota-request'
import { type RequestListScope, requestListScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from '@/lib/services/cloud-reading/load-fleet'
import { inSlices } from '@/lib/util/in-slices'
import { pageOf } from '@/lib/util/page-of'
import { loadRequestEntries, loadRequests, type RequestRow, requestDto } from './request-rows'

/** Limits of the last reading; Placement is not queried. */
const tableOf = async (
  ctx: ServiceContext,
  fleet: Fleet | null,
  rows: readonly RequestRow[],
): Promise<QuotaTable | null> => {
  const view = fleet === null ? null : limitTable(fleet)
  const only = new Set(rows.map(({ resourceName }) => resourceName))
  return fleet === null || view === null
    ? null
    : inSlices(quotaTableInSteps(fleet, { view, uses: new Map(), only }), ctx.signal)
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

/** Requests of all projects of a cloud, page by page: the open ones first, as they came, then the others, the newest first. */
export const listRequests = async (ctx: ServiceContext, input: RequestListScope): Promise<RequestList> => {
  requirePermission(ctx, 'fleet.read')
  const { limit, cursor, q, group, ...scope } = parseInput(requestListScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const all = await loadRequestEntries(ctx.database, cloud.id)
  const rows = [
    ...all.filter(({ state }) => state === 'open'),
    ...all.filter(({ state }) => state !== 'open').toReversed(),
  ]
  const page = pageOf(arrangeRequests(rows, { q: q ?? '', group: group ?? null }), {
    limit,
    cursor,
    keyOf: ({ id }) => id,
  })
  const fleet = page.rows.length === 0 ? null : await loadFleet(ctx, cloud)
  const ids = page.rows.map(({ id }) => id)
  const byId = new Map(
    (await loadRequests(ctx.database, { where: { id: { in: ids } } })).map((row) => [row.id, row]),
  )
  const shown = ids.flatMap((id) => byId.get(id) ?? [])
  const countOf = (each: RequestGroup): number => rows.filter((row) => groupOf(row) === each).length
  return {
    cloud: cloud.name,
    counts: { open: countOf('open'), granted: countOf('granted'), past: countOf('past') },
    requests: shown.map(listedBy(await tableOf(ctx, fleet, shown))),
    total: page.total,
    next: page.next,
  }
}

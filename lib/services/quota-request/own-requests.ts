import 'server-only'
import * as z from 'zod'
import { gpuKinds } from '@/lib/domain/catalog/project-quotas'
import { effectiveLimit, ownLimits } from '@/lib/domain/limits/effective-limit'
import { limitTable } from '@/lib/domain/limits/limit-view'
import { isUndecided, type RequestStatus, requestStatus } from '@/lib/domain/quota-request/request-status'
import { tenantClasses } from '@/lib/domain/quota-request/tenant-classes'
import { actorLabel } from '@/lib/domain/wording'
import type { QuotaLimit } from '@/lib/schemas/api/quota'
import type { OwnRequest, OwnRequestList } from '@/lib/schemas/api/quota-request'
import { requirePermission } from '@/lib/server/context/require-permission'
import { requireProject } from '@/lib/server/context/require-project'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { cachedCatalog, projectOffers } from '@/lib/services/catalog/catalog-cache'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from '@/lib/services/cloud-reading/load-fleet'
import { loadRequests, type RequestRow, revertedAtOf } from './request-rows'

const MAX_LISTED = 100

/** Which change failed to write or restore a limit concerns admins only. */
const SHOWN: Partial<Record<RequestStatus, RequestStatus>> = {
  unwritten: 'open',
  left: 'ended',
  ending: 'ended',
}

export const ownRequestDto = (row: RequestRow): OwnRequest => {
  const state = requestStatus(row)
  // The answer and the figures of a decision that no longer holds.
  const decided = isUndecided(state) ? null : row
  return {
    number: row.number,
    resourceName: row.resourceName,
    value: row.value,
    until: row.until?.toISOString() ?? null,
    reason: row.reason,
    status: SHOWN[state] ?? state,
    madeBy: actorLabel(row.madeBy),
    madeAt: row.madeAt.toISOString(),
    decidedAt: decided?.decidedAt?.toISOString() ?? null,
    answer: decided?.answer ?? null,
    grantedValue: decided?.grantedValue ?? null,
    grantedUntil: decided?.grantedUntil?.toISOString() ?? null,
    revertedAt: revertedAtOf(row),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}

type OwnClasses = OwnRequestList['classes']

// SQL: Prisma's client cannot group by a column with the latest time of two joined rows. Each approval, rollback and end date
// writes the limit by a change.
const LIMITS_WRITTEN = `
SELECT r.resource_name AS "resourceName", max(greatest(ch.ended_at, back.ended_at)) AS at FROM quota_request r
LEFT JOIN change ch ON ch.id = r.change_id LEFT JOIN change back ON back.id = r.back_change_id
WHERE r.cloud_id = $1 AND r.project_id = $2 GROUP BY r.resource_name`

const writtenRow = z.object({ resourceName: z.string(), at: z.date().nullable() })

/** Null: unknown, for a reason that may concern other projects, or read before a request last wrote the limit. */
const currentLimit = (
  limit: QuotaLimit,
  { readAt, writtenAt }: { readAt: string | null; writtenAt: Date | null },
): QuotaLimit | null => {
  const isStale = writtenAt !== null && (readAt === null || Date.parse(readAt) < writtenAt.getTime())
  return limit.kind === 'unknown' || isStale ? null : limit
}

/** The resource classes that a project can request, with its current limit on each; null: not known now. */
export const ownClasses = async (
  ctx: ServiceContext,
  { cloud, projectId }: { cloud: Cloud; projectId: string },
): Promise<OwnClasses> => {
  // The fleet that the catalog was last counted from: loading it again takes longer the larger it is.
  const catalog = cachedCatalog(ctx, cloud)
  const fleet = catalog?.fleet ?? (await loadFleet(ctx, cloud))
  if (fleet === null || fleet.input.facts.flavors.value === null) return null
  const view = limitTable(fleet)
  const own = view === null ? null : ownLimits(view)
  const classes =
    catalog === null
      ? tenantClasses(fleet, projectId).map((name) => ({ name, kind: null }))
      : gpuKinds(fleet, projectOffers(catalog, projectId)).map(([name, kind]) => ({ name, kind }))
  const written = await ctx.database.query(LIMITS_WRITTEN, [cloud.id, projectId], writtenRow)
  const writtenAtOf = new Map(written.map(({ resourceName, at }) => [resourceName, at]))
  const readAt = fleet.input.facts.limits.at
  return classes.map(({ name, kind }) => {
    const resourceName = `class:${name}`
    const writtenAt = writtenAtOf.get(resourceName) ?? null
    const limit = view === null ? null : effectiveLimit(fleet, view, { own, projectId, resourceName })
    return { resourceName, kind, limit: limit === null ? null : currentLimit(limit, { readAt, writtenAt }) }
  })
}

/** The requests of the project that the caller is signed in to, the newest first, and what it may ask for. */
export const listOwnRequests = async (ctx: ServiceContext): Promise<OwnRequestList> => {
  requirePermission(ctx, 'quota-request.list-own')
  const member = requireProject(ctx)
  const cloud = await findCloud(ctx, { cloud: member.cloud })
  const rows = await loadRequests(ctx.database, {
    where: { cloudId: cloud.id, projectId: member.scope.id },
    orderBy: { number: 'desc' },
    take: MAX_LISTED,
  })
  return {
    projectName: member.scope.name,
    classes: await ownClasses(ctx, { cloud, projectId: member.scope.id }),
    requests: rows.map(ownRequestDto),
  }
}

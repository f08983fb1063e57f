import 'server-only'
import { limitNames } from '@/lib/domain/catalog/project-flavors'
import { effectiveLimit, ownLimits } from '@/lib/domain/limits/effective-limit'
import { limitTable } from '@/lib/domain/limits/limit-view'
import {
  isUndecided,
  type RequestStanding,
  requestStanding,
} from '@/lib/domain/quota-request/request-standing'
import { tenantClasses } from '@/lib/domain/quota-request/tenant-classes'
import { actorWords } from '@/lib/domain/wording'
import type { QuotaLimit } from '@/lib/schemas/api/quota'
import type { OwnRequest, OwnRequestList } from '@/lib/schemas/api/quota-request'
import { requirePermission } from '@/lib/server/context/require-permission'
import { requireProject } from '@/lib/server/context/require-project'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { catalogBoard, projectOffers } from '@/lib/services/catalog/catalog-board'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from '@/lib/services/cloud-reading/load-fleet'
import { loadRequests, type RequestRow, revertedAtOf } from './request-rows'

const MAX_LISTED = 100

/** Which change failed to write or restore a limit concerns admins only. */
const SHOWN: Partial<Record<RequestStanding, RequestStanding>> = {
  unwritten: 'open',
  left: 'ended',
  ending: 'ended',
}

export const ownRequestDto = (row: RequestRow): OwnRequest => {
  const standing = requestStanding(row)
  // The answer and the figures of a decision that no longer holds.
  const decided = isUndecided(standing) ? null : row
  return {
    number: row.number,
    resourceName: row.resourceName,
    value: row.value,
    until: row.until?.toISOString() ?? null,
    reason: row.reason,
    standing: SHOWN[standing] ?? standing,
    madeBy: actorWords(row.madeBy),
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

/** When a change of the requests last wrote the limit, in ms: each approval, rollback and end date is one. 0: none has. */
const lastWrite = (requests: readonly RequestRow[]): number =>
  Math.max(
    0,
    ...requests.flatMap(({ changeEndedAt, backChangeEndedAt }) => [
      changeEndedAt?.getTime() ?? 0,
      backChangeEndedAt?.getTime() ?? 0,
    ]),
  )

/** Null: unknown, for a reason that may concern other projects, or read before a request last wrote the limit. */
const currentLimit = (
  limit: QuotaLimit,
  { readAt, writtenAt }: { readAt: string | null; writtenAt: number },
): QuotaLimit | null => {
  const isStale = writtenAt > 0 && (readAt === null || Date.parse(readAt) < writtenAt)
  return limit.kind === 'unknown' || isStale ? null : limit
}

/** The resource classes that a project can request, with its current limit on each; null: not known now. */
export const ownClasses = async (
  ctx: ServiceContext,
  { cloud, projectId }: { cloud: Cloud; projectId: string },
): Promise<OwnClasses> => {
  // The fleet that the catalog was last counted from: loading it again takes longer the larger it is.
  const board = catalogBoard(ctx, cloud)
  const fleet = board?.fleet ?? (await loadFleet(ctx, cloud))?.fleet ?? null
  if (fleet === null || fleet.input.facts.flavors.value === null) return null
  const view = limitTable(fleet)
  const own = view === null ? null : ownLimits(view)
  const names =
    board === null
      ? tenantClasses(fleet, projectId)
      : limitNames(projectOffers(board, projectId).map(({ flavor }) => flavor))
  const requests = await loadRequests(ctx.database, { where: { cloudId: cloud.id, projectId } })
  const readAt = fleet.input.facts.limits.at
  return names.map((resourceName) => {
    const writtenAt = lastWrite(requests.filter((each) => each.resourceName === resourceName))
    const limit = view === null ? null : effectiveLimit(fleet, view, { own, projectId, resourceName })
    return { resourceName, limit: limit === null ? null : currentLimit(limit, { readAt, writtenAt }) }
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

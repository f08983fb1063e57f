import 'server-only'
import { SETTLE_MS } from '@/lib/domain/review/period'
import type { Review } from '@/lib/schemas/api/review'
import type { ReviewScope } from '@/lib/schemas/api/review-inputs'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { computeReview } from './compute-review'
import { findScope } from './find-scope'

/** What the review of a period would say now. Nothing is kept of it. */
export const previewReview = async (ctx: ServiceContext, input: ReviewScope): Promise<Review> => {
  requirePermission(ctx, 'fleet.read')
  const scope = await findScope(ctx, input)
  const { cloud, period, known } = scope
  const knownUntil = Math.min(period.until, known.until)
  if (knownUntil <= period.from)
    throw new ServiceError('precondition', `Nothing of ${period.name} is known yet: come back in an hour.`)
  return {
    cloud: cloud.name,
    region: cloud.region,
    frozen: null,
    closesAt: new Date(period.until + SETTLE_MS).toISOString(),
    content: await computeReview(ctx.database.query, { ...scope, knownUntil }),
  }
}

import 'server-only'
import type { Review } from '@/lib/schemas/api/review'
import { requirePermission } from '@/lib/server/context/require-permission'
import { type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { findReview, type ReviewRow, reviewDto } from './review-rows'

/** A frozen review of a cloud that the caller sees. For services that have checked the permission. */
export const findSeenReview = async (ctx: ServiceContext, id: number): Promise<ReviewRow> => {
  const row = await findReview(ctx.database, id)
  if (row !== null && seesCloud(ctx.actor, row.cloud)) return row
  throw new ServiceError('not_found', `There is no review ${id}. Choose one from the list of reviews.`)
}

/** A frozen review, with the numbers that it was made with. */
export const getReview = async (ctx: ServiceContext, { id }: { id: number }): Promise<Review> => {
  requirePermission(ctx, 'fleet.read')
  return reviewDto(await findSeenReview(ctx, id))
}

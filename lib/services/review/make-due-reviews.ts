import 'server-only'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { isServiceError } from '@/lib/server/errors/service-error'
import { listReviews } from './list-reviews'
import { makeReview } from './make-review'

const makeOne = async (ctx: ServiceContext, cloud: string, period: string): Promise<boolean> => {
  try {
    await makeReview(ctx, { cloud, period })
    return true
  } catch (error) {
    // What came late is still being worked in: the next look comes soon.
    if (isServiceError(error) && error.code === 'unavailable') return false
    throw error
  }
}

/**
 * Freezes the review of each month and quarter that has closed and has none, of the whole cloud and in the console's zone, the
 * oldest first, `most` of them at once. Answers how many it made.
 */
export const makeDueReviews = async (
  ctx: ServiceContext,
  {
    isStopping = () => false,
    most = Number.POSITIVE_INFINITY,
  }: { isStopping?: () => boolean; most?: number } = {},
): Promise<number> => {
  let made = 0
  const clouds = await ctx.database.prisma.cloud.findMany({
    select: { name: true },
    orderBy: { name: 'asc' },
  })
  for (const { name: cloud } of clouds) {
    const { periods } = await listReviews(ctx, { cloud })
    const due = periods.filter(
      ({ state, isKept, reviews }) =>
        state === 'closed' && isKept && !reviews.some(({ filter }) => filter.by === 'all'),
    )
    for (const { name } of due.toReversed()) {
      if (isStopping() || made >= most) return made
      if (await makeOne(ctx, cloud, name)) made += 1
    }
  }
  return made
}

import 'server-only'
import { createLease } from '@/lib/server/background/lease'
import { repeat } from '@/lib/server/background/repeat'
import { requestContext } from '@/lib/server/context/request-context'
import type { Runtime } from '@/lib/server/context/runtime'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { isServiceError } from '@/lib/server/errors/service-error'
import { listReviews } from './list-reviews'
import { makeReview } from './make-review'

const makeOne = async (ctx: ServiceContext, cloud: string, period: string): Promise<boolean> => {
  try {
    await makeReview(ctx, { cloud, period })
    return true
  } catch (error) {
    // Late reports are still being processed: the next attempt comes soon.
    if (isServiceError(error) && error.code === 'unavailable') return false
    throw error
  }
}

/**
 * Freezes the review of each month and quarter that has closed and has none, of the whole cloud and in the console's zone, the
 * oldest first, `max` of them at once. Answers how many it made.
 */
export const makeDueReviews = async (
  ctx: ServiceContext,
  {
    isStopping = () => false,
    max = Number.POSITIVE_INFINITY,
  }: { isStopping?: () => boolean; max?: number } = {},
): Promise<number> => {
  let made = 0
  const clouds = await ctx.database.prisma.cloud.findMany({
    select: { name: true },
    orderBy: { name: 'asc' },
  })
  for (const { name: cloud } of clouds) {
    const { periods } = await listReviews(ctx, { cloud })
    const due = periods.filter(
      ({ state, isRetained, reviews }) =>
        state === 'closed' && isRetained && !reviews.some(({ filter }) => filter.by === 'all'),
    )
    for (const { name } of due.toReversed()) {
      if (isStopping() || made >= max) return made
      if (await makeOne(ctx, cloud, name)) made += 1
    }
  }
  return made
}

const LEASE = { name: 'freeze reviews', forMs: 600_000 }
const LOOK_MS = 60_000

/** After an import of years of history there are many to create, so pauses leave time for requests. */
const RESTS_PER_REVIEW = 2
const LONGEST_REST_MS = 5000

/** Freezes what has closed, on one console at a time. */
export const startReviews = async (runtime: Runtime): Promise<void> => {
  const { database, log, onStop } = runtime
  const ctx = requestContext(runtime, 'reviews', { kind: 'system' })
  const lease = createLease({ database, log, ...LEASE })
  const looks = repeat(async (isStopping) => {
    try {
      if (!(await lease.hold())) return { restMs: LOOK_MS }
      const startedMs = performance.now()
      const made = await makeDueReviews(ctx, { isStopping, max: 1 })
      const tookMs = performance.now() - startedMs
      if (made > 0) return { restMs: Math.min(LONGEST_REST_MS, RESTS_PER_REVIEW * tookMs) }
    } catch (err) {
      log.error({ err }, 'Reviews could not be stored; retrying')
    }
    return { restMs: LOOK_MS }
  })
  onStop('stop freezing reviews', async () => {
    await looks.stop()
    await lease.release()
  })
}

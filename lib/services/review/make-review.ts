import 'server-only'
import { periodState, SETTLE_MS } from '@/lib/domain/review/period'
import type { Review } from '@/lib/schemas/api/review'
import type { ReviewScope } from '@/lib/schemas/api/review-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { computeReview } from './compute-review'
import { type FoundScope, findScope } from './find-scope'
import { findSameReview, freezeContent, reviewDto } from './review-rows'

/** Late reports are waited for, and those that have come have to be in the roll-ups. */
const checkClosed = (ctx: ServiceContext, { period, known }: FoundScope): void => {
  const state = periodState(period, ctx.now().getTime())
  const closesAt = new Date(period.until + SETTLE_MS).toISOString()
  if (state !== 'closed')
    throw new ServiceError(
      'precondition',
      `The review of ${period.name} can be frozen from ${closesAt} on, after late reports have arrived. Until then, use its preview.`,
    )
  if (known.until < period.until)
    throw new ServiceError(
      'unavailable',
      `Late reports of ${period.name} are still being processed. Try again in a minute.`,
    )
}

const insert = async (
  ctx: ServiceContext,
  { cloud, period, filter }: FoundScope,
  content: Review['content'],
): Promise<void> => {
  const { text, fingerprint } = freezeContent(content)
  const at = ctx.now()
  await ctx.database.transaction(async ({ prisma, query }) => {
    const [made] = await prisma.review.createManyAndReturn({
      data: {
        cloudId: cloud.id,
        period: period.name,
        timeZone: period.timeZone,
        filterBy: filter.by,
        filterKey: filter.key,
        periodFrom: new Date(period.from),
        periodUntil: new Date(period.until),
        region: cloud.region,
        madeAt: at,
        madeBy: describeActor(ctx.actor),
        contentVersion: content.version,
        content: text,
        fingerprint,
      },
      skipDuplicates: true,
      select: { id: true },
    })
    // Another request was first: what is frozen counts.
    if (made === undefined) return
    await writeAudit(query, {
      at,
      actor: ctx.actor,
      cloud: cloud.name,
      action: 'review.make',
      subject: `review:${made.id}`,
      before: null,
      after: { period: period.name, timeZone: period.timeZone, filter, fingerprint },
    })
  })
}

/** Stores the final review of a completed period. Further calls return the stored review, independent of later data. */
export const makeReview = async (ctx: ServiceContext, input: ReviewScope): Promise<Review> => {
  requirePermission(ctx, 'review.make')
  const scope = await findScope(ctx, input)
  const { query } = ctx.database
  const same = { cloudId: scope.cloud.id, period: scope.period, filter: scope.filter }
  const row = await findSameReview(ctx.database, same)
  if (row !== null) return reviewDto(row)
  checkClosed(ctx, scope)
  const content = await computeReview(query, { ...scope, knownUntil: scope.period.until })
  await insert(ctx, scope, content)
  const made = await findSameReview(ctx.database, same)
  if (made === null) throw new Error('a review that was made is there')
  return reviewDto(made)
}

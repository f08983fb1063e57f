import 'server-only'
import * as z from 'zod'
import { type Period, periodState, periodsBetween, SETTLE_MS } from '@/lib/domain/review/period'
import type { ListedPeriod, ReviewList } from '@/lib/schemas/api/review'
import type { ReviewListScope } from '@/lib/schemas/api/review-inputs'
import { REVIEW_FILTERS } from '@/lib/schemas/states'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { findListScope } from './find-scope'
import { isRetained, loadKnownRange } from './known-range'

// SQL: of the content, which is long, the label alone is read.
const LIST = `
SELECT id, period, filter_by AS "filterBy", filter_key AS "filterKey", made_at AS "madeAt", made_by AS "madeBy",
  fingerprint, content::jsonb->'filter'->>'label' AS label
FROM review WHERE cloud_id = $1 AND time_zone = $2 ORDER BY filter_by <> 'all', filter_by, filter_key`

const reviewRow = z.object({
  id: z.int(),
  period: z.string(),
  filterBy: z.enum(REVIEW_FILTERS),
  filterKey: z.string(),
  madeAt: z.date(),
  madeBy: z.string(),
  fingerprint: z.string(),
  label: z.string(),
})

const reviewOf = (row: z.infer<typeof reviewRow>): ListedPeriod['reviews'][number] => ({
  id: row.id,
  madeAt: row.madeAt.toISOString(),
  madeBy: row.madeBy,
  fingerprint: row.fingerprint,
  filter: { by: row.filterBy, key: row.filterKey },
  label: row.label,
})

/** Months and quarters of which anything is known, the newest first, with their frozen reviews in a time zone. */
export const listReviews = async (ctx: ServiceContext, input: ReviewListScope): Promise<ReviewList> => {
  requirePermission(ctx, 'fleet.read')
  const { cloud, timeZone } = await findListScope(ctx, input)
  const { query } = ctx.database
  const known = await loadKnownRange(query, cloud.id)
  const rows = await query(LIST, [cloud.id, timeZone], reviewRow)
  const now = ctx.now().getTime()
  const time = { from: known?.from ?? now, until: now, timeZone }
  const periods: Period[] =
    known === null ? [] : [...periodsBetween('quarter', time), ...periodsBetween('month', time)]
  return {
    cloud: cloud.name,
    timeZone,
    periods: periods.map((period) => ({
      kind: period.kind,
      name: period.name,
      from: new Date(period.from).toISOString(),
      until: new Date(period.until).toISOString(),
      state: periodState(period, now),
      closesAt: new Date(period.until + SETTLE_MS).toISOString(),
      isRetained: known !== null && isRetained(period, known),
      reviews: rows.filter((row) => row.period === period.name).map(reviewOf),
    })),
  }
}

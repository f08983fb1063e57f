import 'server-only'
import { reviewCsv } from '@/lib/domain/review/review-csv'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Encoded } from '@/lib/util/encode/encoded'
import { storedText } from '@/lib/util/encode/stored'
import { findSeenReview } from './get-review'
import { parseContent } from './review-rows'

/** A frozen review as a file: CSV, or as JSON the very bytes that its fingerprint is of. */
export const exportReview = async (
  ctx: ServiceContext,
  { id, format }: { id: number; format: 'json' | 'csv' },
): Promise<{ name: string; type: string; text: Encoded<'csv' | 'json'> }> => {
  requirePermission(ctx, 'fleet.read')
  const row = await findSeenReview(ctx, id)
  const name = `sliceboard-${row.cloud.replaceAll(/[^\w.-]/g, '_')}-review-${row.period}.${format}`
  return format === 'json'
    ? { name, type: 'application/json', text: storedText(row.content) }
    : { name, type: 'text/csv; charset=utf-8', text: reviewCsv(parseContent(row)) }
}

import 'server-only'
import { reviewTable } from '@/lib/domain/review/review-table'
import { requirePermission } from '@/lib/server/require-permission'
import type { ServiceContext } from '@/lib/server/service-context'
import { csvText } from '@/lib/util/encode/csv'
import type { Encoded } from '@/lib/util/encode/encoded'
import { storedText } from '@/lib/util/encode/stored'
import { findSeenReview } from './get-review'
import { parseContent, type ReviewRow } from './review-rows'

const csvOf = ({ content }: ReviewRow): Encoded<'csv'> =>
  csvText([
    ['part', 'name', 'at', 'value', 'text'],
    ...reviewTable(parseContent(content)).map(({ part, name, at, value, text }) => [
      part,
      name,
      at,
      value,
      text,
    ]),
  ])

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
    : { name, type: 'text/csv; charset=utf-8', text: csvOf(row) }
}

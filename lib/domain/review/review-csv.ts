import type { ReviewContent } from '@/lib/schemas/api/review-content'
import { csvText } from '@/lib/util/encode/csv'
import type { Encoded } from '@/lib/util/encode/encoded'
import { reviewTable } from './review-table'

/** A review's numbers and names, one fact per line. */
export const reviewCsv = (content: ReviewContent): Encoded<'csv'> =>
  csvText([
    ['part', 'name', 'at', 'value', 'text'],
    ...reviewTable(content).map(({ part, name, at, value, text }) => [part, name, at, value, text]),
  ])

import * as z from 'zod/mini'
import { REVIEW_FILTERS } from '../states'
import { reviewContentSchema } from './review-content'

const filterSchema = z.object({ by: z.enum(REVIEW_FILTERS), key: z.string() })

/** A review that is frozen. */
const frozen = {
  id: z.int(),
  madeAt: z.string(),
  madeBy: z.string(),
  /** SHA-256 of the content's text, hex. */
  fingerprint: z.string(),
}

export const reviewSchema = z.object({
  cloud: z.string(),
  region: z.nullable(z.string()),
  /** Null: a preview, whose numbers still move. */
  frozen: z.nullable(z.object(frozen)),
  /** Of a preview: from when on it can be frozen; ISO 8601 UTC. */
  closesAt: z.nullable(z.string()),
  content: reviewContentSchema,
})
export type Review = z.infer<typeof reviewSchema>

export const reviewListSchema = z.object({
  cloud: z.string(),
  timeZone: z.string(),
  /** Of the time of which anything is known, the newest first. */
  periods: z.array(
    z.object({
      kind: z.enum(['month', 'quarter']),
      name: z.string(),
      from: z.string(),
      until: z.string(),
      state: z.enum(['open', 'settling', 'closed']),
      closesAt: z.string(),
      /** The hours of it are kept, so that it can be made. */
      isRetained: z.boolean(),
      /** Its frozen reviews: of the whole cloud, and of parts of it. */
      reviews: z.array(z.object({ ...frozen, filter: filterSchema, label: z.string() })),
    }),
  ),
})
export type ReviewList = z.infer<typeof reviewListSchema>
export type ListedPeriod = ReviewList['periods'][number]

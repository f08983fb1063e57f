import * as z from 'zod'
import { REVIEW_FILTERS } from '../states'
import { cloudScopeSchema } from './scope'

const MAX_ID = 2_147_483_647

const filterShape = {
  /** The subject of the review: everything, or one group. */
  by: z
    .enum(REVIEW_FILTERS)
    .nullish()
    .transform((by) => by ?? 'all'),
  /** The group's key; with `all` none. */
  key: z
    .string()
    .max(255)
    .nullish()
    .transform((key) => key ?? ''),
}
const zone = z
  .string()
  .max(64)
  .nullish()
  .transform((name) => name || null)

/** `?zone=`: IANA's name of the time zone; absent, the console's (SLICEBOARD_REVIEW_TIME_ZONE). */
export const reviewListScopeSchema = cloudScopeSchema.extend({ zone })
export type ReviewListScope = z.input<typeof reviewListScopeSchema>

/** A month (`2026-10`) or a quarter (`2026-Q4`). */
export const reviewScopeSchema = reviewListScopeSchema.extend({
  period: z.string().max(10),
  ...filterShape,
})
export type ReviewScope = z.input<typeof reviewScopeSchema>
export const makeReviewSchema = reviewScopeSchema.strict()

export const reviewParamsSchema = z.object({
  id: z.coerce.number().int().min(1).max(MAX_ID),
})
export const reviewExportSchema = z.object({ format: z.enum(['json', 'csv']) })

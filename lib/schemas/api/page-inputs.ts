import * as z from 'zod'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000

/** `?limit=` is the number of rows on a page, `?cursor=` the `next` of the page before. */
export const pageQueryShape = {
  limit: z.coerce
    .number('must be a whole number')
    .int()
    .min(1)
    .max(MAX_LIMIT)
    .nullish()
    .transform((limit) => limit ?? DEFAULT_LIMIT),
  cursor: z
    .string()
    .max(500)
    .nullish()
    .transform((cursor) => cursor || null),
}

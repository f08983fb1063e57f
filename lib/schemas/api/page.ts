import * as z from 'zod/mini'

/** Of an answer that has one page of a list. */
export const pageShape = {
  /** Rows on all pages. */
  total: z.int(),
  /** For the next page's `cursor`; null: this page is the last. */
  next: z.nullable(z.string()),
}

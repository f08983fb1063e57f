import * as z from 'zod'
import type { ListKind } from './list-query'

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

/** Of a list that the server filters and sorts, too: `?q=` narrows to rows with every word, `?state=` to a state. */
export const listQueryShape = <Sort extends string, State extends string>({
  sorts,
  states,
}: ListKind<Sort, State>) => ({
  q: z.string().max(200).nullish(),
  state: z.enum(states).nullish(),
  sort: z.enum(sorts).nullish(),
  desc: z.enum(['true', 'false']).nullish(),
  ...pageQueryShape,
})

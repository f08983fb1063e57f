import * as z from '@/lib/schemas/mini'

export const requestCountsShape = {
  /** Of all requests of the cloud. */
  counts: z.object({ open: z.int(), granted: z.int(), past: z.int() }),
}

/** The part of the list of quota requests that every page needs. */
export const requestCountsSchema = z.object(requestCountsShape)

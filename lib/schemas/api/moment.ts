import * as z from 'zod'

const FIRST = Date.UTC(1970, 0, 1)
const END = Date.UTC(3000, 0, 1)

/** A moment in ISO 8601, such as `example`; of years in which spans before and after it have four digits, too. */
export const momentSchema = (example: string) =>
  z.iso
    .datetime({ offset: true, error: `must be a moment such as ${example}` })
    .refine((at) => Date.parse(at) >= FIRST && Date.parse(at) < END, {
      error: 'must be a moment from 1970 to 2999',
    })

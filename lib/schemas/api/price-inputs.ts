import * as z from 'zod/mini'
import { CURRENCIES } from '../currencies'

const oneLine = (max: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'must not be empty'),
      z.maxLength(max),
      z.regex(/^[^\p{Cc}]*$/u, 'must be one line of text'),
    )

/** A version of the price of a card or vGPU type. */
export const addPriceSchema = z.strictObject({
  cloud: z.string().check(z.minLength(1), z.maxLength(128)),
  /** `NVIDIA A40`. */
  model: oneLine(128),
  /** `A40-4Q`; null: the whole card. */
  typeName: z.nullable(oneLine(64)),
  /** Per hour; null: no price from that day. */
  amount: z.nullable(
    z
      .string()
      .check(
        z.trim(),
        z.regex(
          /^\d{1,9}(?:\.\d{1,4})?$/,
          'must be a number with at most four decimals, such as 0.45. Use a period as the decimal separator',
        ),
      ),
  ),
  currency: z
    .string()
    .check(
      z.regex(
        new RegExp(`^(?:${CURRENCIES.join('|')})$`),
        'must be a currency code of ISO 4217. Enter a code such as EUR',
      ),
    ),
  /** The first day, in UTC. */
  validFrom: z.iso.date('must be a date such as 2026-12-01'),
})
export type AddPrice = z.infer<typeof addPriceSchema>

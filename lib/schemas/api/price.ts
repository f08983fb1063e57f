import * as z from 'zod/mini'

/** Per hour: a decimal text with two to four decimals, and a code of ISO 4217. */
export const moneySchema = z.object({ amount: z.string(), currency: z.string() })

const versionSchema = z.object({
  id: z.int(),
  model: z.string(),
  /** Null: the whole card. */
  typeName: z.nullable(z.string()),
  /** Per hour; null: this version ended the price. */
  amount: z.nullable(z.string()),
  currency: z.string(),
  /** The first day, in UTC. */
  validFrom: z.string(),
  /** The first day of the version that follows; null: none is known. */
  validUntil: z.nullable(z.string()),
  /** `replaced`: another version with the same first day was added later. */
  state: z.enum(['current', 'future', 'past', 'replaced']),
  addedBy: z.string(),
  addedAt: z.string(),
})
export type PriceVersionDto = z.infer<typeof versionSchema>

export const priceListSchema = z.object({
  cloud: z.string(),
  /** In UTC. */
  today: z.string(),
  /** By card and type, the latest version first. */
  versions: z.array(versionSchema),
  /** Cards of the fleet and of the table of cards, with the names of their vGPU types. */
  cards: z.array(z.object({ model: z.string(), isInFleet: z.boolean(), types: z.array(z.string()) })),
})
export type PriceListDto = z.infer<typeof priceListSchema>

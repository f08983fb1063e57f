import * as z from '@/lib/schemas/mini'
import { QUOTA_DRIVERS } from '../states'

export const quotaDriverSchema = z.enum(QUOTA_DRIVERS)

/** What an admin answered, where no agent tells. */
export const driverAnswerSchema = z.object({ driver: quotaDriverSchema, by: z.string(), at: z.string() })
export type DriverAnswer = z.infer<typeof driverAnswerSchema>

/** Which quota driver Nova's API uses, and who says so. */
export const quotaDriverStandingSchema = z.object({
  cloud: z.string(),
  /** Null: neither agents nor an admin say it. */
  driver: z.nullable(quotaDriverSchema),
  /** `agents`: they read it on hosts of Nova's API, and an answer is not used. */
  source: z.nullable(z.enum(['agents', 'answer'])),
  answer: z.nullable(driverAnswerSchema),
  /** What stands against the answer; null: nothing. */
  contradiction: z.nullable(z.string()),
  /** How to look by hand. */
  check: z.string(),
})
export type QuotaDriverStanding = z.infer<typeof quotaDriverStandingSchema>

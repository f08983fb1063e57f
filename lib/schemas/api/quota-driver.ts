import * as z from 'zod/mini'
import { QUOTA_DRIVERS } from '../states'

export const quotaDriverSchema = z.enum(QUOTA_DRIVERS)

/** An admin's answer, used if no agent reports the driver. */
export const driverAnswerSchema = z.object({ driver: quotaDriverSchema, by: z.string(), at: z.string() })
export type DriverAnswer = z.infer<typeof driverAnswerSchema>

/** The quota driver of Nova's API, and its source. */
export const quotaDriverStatusSchema = z.object({
  cloud: z.string(),
  /** Null: neither agents nor an admin say it. */
  driver: z.nullable(quotaDriverSchema),
  /** `agents`: they read it on hosts of Nova's API, and an answer is not used. */
  source: z.nullable(z.enum(['agents', 'answer'])),
  answer: z.nullable(driverAnswerSchema),
  /** What contradicts the answer; null: nothing. */
  contradiction: z.nullable(z.string()),
  /** The command to check it manually. */
  check: z.string(),
})
export type QuotaDriverStatus = z.infer<typeof quotaDriverStatusSchema>

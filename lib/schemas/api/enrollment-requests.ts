import * as z from 'zod/mini'
import { HOLD_REASONS } from '../states'

/** A host that waits for an admin's approval to enroll. */
export const enrollmentRequestSchema = z.object({
  id: z.int(),
  /** As the host's log shows it. */
  code: z.string(),
  host: z.string(),
  reason: z.enum(HOLD_REASONS),
  address: z.string(),
  agentVersion: z.string(),
  joinTokenId: z.int(),
  joinTokenLabel: z.string(),
  attempts: z.int(),
  firstAt: z.string(),
  lastAt: z.string(),
  /** When the present agent of the host was last seen; null: never. */
  hostSeenAt: z.nullable(z.string()),
  state: z.enum(['waiting', 'approved']),
})
export type EnrollmentRequest = z.infer<typeof enrollmentRequestSchema>

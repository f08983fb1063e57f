import * as z from 'zod/mini'
import { rowIdSchema } from './agent-inputs'

export const enrollmentRequestParamsSchema = z.object({ id: rowIdSchema })

/** `approve-as-new`: a removed host's name belongs to another host now, which does not continue its history. */
const DECISIONS = ['approve', 'approve-as-new', 'decline'] as const

export const decideEnrollmentSchema = z.strictObject({ decision: z.enum(DECISIONS) })
export type DecideEnrollment = z.infer<typeof decideEnrollmentSchema>

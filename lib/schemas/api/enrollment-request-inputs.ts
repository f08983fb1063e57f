import * as z from 'zod/mini'
import { rowIdSchema } from './agent-inputs'

export const enrollmentRequestParamsSchema = z.object({ id: rowIdSchema })

export const decideEnrollmentSchema = z.strictObject({ decision: z.enum(['approve', 'decline']) })
export type DecideEnrollment = z.infer<typeof decideEnrollmentSchema>

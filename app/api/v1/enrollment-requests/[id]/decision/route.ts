import {
  decideEnrollmentSchema,
  enrollmentRequestParamsSchema,
} from '@/lib/schemas/api/enrollment-request-inputs'
import { route } from '@/lib/server/http/route'
import { decideEnrollment } from '@/lib/services/enrollment-request/decide-enrollment'

export const dynamic = 'force-dynamic'

export const POST = route(
  { params: enrollmentRequestParamsSchema, body: decideEnrollmentSchema },
  ({ ctx, params, body }) => decideEnrollment(ctx, { ...params, body }),
)

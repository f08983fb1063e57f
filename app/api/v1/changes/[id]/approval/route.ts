import { approveChangeSchema, changeParamsSchema } from '@/lib/schemas/api/change-inputs'
import { route } from '@/lib/server/http/route'
import { approveChange } from '@/lib/services/change/approve-change'

export const dynamic = 'force-dynamic'

export const POST = route(
  { params: changeParamsSchema, body: approveChangeSchema },
  ({ ctx, params, body }) => approveChange(ctx, { ...params, body }),
)

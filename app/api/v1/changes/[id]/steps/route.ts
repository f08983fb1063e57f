import { changeParamsSchema } from '@/lib/schemas/api/change-inputs'
import { changeStepScopeSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { listChangeSteps } from '@/lib/services/change/list-change-steps'

export const dynamic = 'force-dynamic'

export const GET = route(
  { params: changeParamsSchema, query: changeStepScopeSchema },
  ({ ctx, params, query }) => listChangeSteps(ctx, { ...params, ...query }),
)

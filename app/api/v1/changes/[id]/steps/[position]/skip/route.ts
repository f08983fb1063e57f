import { changeStepParamsSchema, skipStepSchema } from '@/lib/schemas/api/change-inputs'
import { route } from '@/lib/server/http/route'
import { skipStep } from '@/lib/services/change/skip-step'

export const dynamic = 'force-dynamic'

export const POST = route({ params: changeStepParamsSchema, body: skipStepSchema }, ({ ctx, params, body }) =>
  skipStep(ctx, { ...params, body }),
)

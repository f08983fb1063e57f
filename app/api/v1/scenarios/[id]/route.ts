import { saveScenarioSchema, scenarioParamsSchema } from '@/lib/schemas/api/scenario-inputs'
import { route } from '@/lib/server/http/route'
import { deleteScenario } from '@/lib/services/scenario/delete-scenario'
import { getScenario } from '@/lib/services/scenario/get-scenario'
import { saveScenario } from '@/lib/services/scenario/save-scenario'

export const dynamic = 'force-dynamic'

export const GET = route({ params: scenarioParamsSchema }, ({ ctx, params }) => getScenario(ctx, params))

export const PUT = route(
  { params: scenarioParamsSchema, body: saveScenarioSchema },
  ({ ctx, params, body }) => saveScenario(ctx, { ...params, body }),
)

export const DELETE = route({ params: scenarioParamsSchema }, ({ ctx, params }) =>
  deleteScenario(ctx, params),
)

import { createScenarioSchema } from '@/lib/schemas/api/scenario-inputs'
import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { createScenario } from '@/lib/services/scenario/create-scenario'
import { listScenarios } from '@/lib/services/scenario/list-scenarios'

export const dynamic = 'force-dynamic'

export const GET = route({ query: cloudScopeSchema }, ({ ctx, query }) => listScenarios(ctx, query))

export const POST = route({ body: createScenarioSchema, status: 201 }, ({ ctx, body }) =>
  createScenario(ctx, { body }),
)

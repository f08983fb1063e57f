import { scenarioInputSchema } from '@/lib/schemas/api/scenario-inputs'
import { route } from '@/lib/server/http/route'
import { computeScenario } from '@/lib/services/scenario/compute-scenario'

export const dynamic = 'force-dynamic'

export const POST = route({ body: scenarioInputSchema }, ({ ctx, body }) => computeScenario(ctx, body))

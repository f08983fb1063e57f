import { agentParamsSchema } from '@/lib/schemas/api/agent-inputs'
import { route } from '@/lib/server/http/route'
import { revokeAgent } from '@/lib/services/agent/revoke-agent'

export const dynamic = 'force-dynamic'

export const DELETE = route({ params: agentParamsSchema }, ({ ctx, params }) => revokeAgent(ctx, params))

import { joinTokenParamsSchema } from '@/lib/schemas/api/agent-inputs'
import { route } from '@/lib/server/http/route'
import { revokeJoinToken } from '@/lib/services/join-token/revoke-join-token'

export const dynamic = 'force-dynamic'

export const DELETE = route({ params: joinTokenParamsSchema }, ({ ctx, params }) =>
  revokeJoinToken(ctx, params),
)

import { apiTokenParamsSchema } from '@/lib/schemas/api/api-token-inputs'
import { route } from '@/lib/server/http/route'
import { revokeApiToken } from '@/lib/services/api-token/revoke-api-token'

export const dynamic = 'force-dynamic'

export const DELETE = route({ params: apiTokenParamsSchema }, ({ ctx, params }) =>
  revokeApiToken(ctx, params),
)

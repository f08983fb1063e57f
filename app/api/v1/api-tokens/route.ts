import { createApiTokenSchema } from '@/lib/schemas/api/api-token-inputs'
import { route } from '@/lib/server/http/route'
import { createApiToken } from '@/lib/services/api-token/create-api-token'
import { listApiTokens } from '@/lib/services/api-token/list-api-tokens'

export const dynamic = 'force-dynamic'

export const GET = route({}, ({ ctx }) => listApiTokens(ctx))

export const POST = route({ body: createApiTokenSchema, status: 201 }, ({ ctx, body }) =>
  createApiToken(ctx, { body }),
)

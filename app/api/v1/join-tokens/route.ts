import { createJoinTokenSchema } from '@/lib/schemas/api/agent-inputs'
import { requestOrigin } from '@/lib/server/http/request-origin'
import { route } from '@/lib/server/http/route'
import { createJoinToken } from '@/lib/services/join-token/create-join-token'

export const dynamic = 'force-dynamic'

export const POST = route({ body: createJoinTokenSchema, status: 201 }, ({ ctx, env, request, body }) =>
  createJoinToken(ctx, { body, origin: requestOrigin(env, request.headers.get('host')) }),
)

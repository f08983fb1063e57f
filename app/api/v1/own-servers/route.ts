import { createServerSchema } from '@/lib/schemas/api/create-server-inputs'
import { conditionalJson } from '@/lib/server/http/conditional'
import { route } from '@/lib/server/http/route'
import { listOwnServers } from '@/lib/services/catalog/list-own-servers'
import { createServer } from '@/lib/services/create-server/create-server'

export const dynamic = 'force-dynamic'

export const GET = route({}, async ({ ctx, request }) => conditionalJson(request, await listOwnServers(ctx)))

export const POST = route({ body: createServerSchema, status: 201 }, ({ ctx, body }) =>
  createServer(ctx, { body }),
)

import { conditionalJson } from '@/lib/server/http/conditional'
import { route } from '@/lib/server/http/route'
import { listOwnServers } from '@/lib/services/catalog/list-own-servers'

export const dynamic = 'force-dynamic'

export const GET = route({}, async ({ ctx, request }) => conditionalJson(request, await listOwnServers(ctx)))

import { requestListScopeSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { listRequests } from '@/lib/services/quota-request/list-requests'

export const dynamic = 'force-dynamic'

export const GET = route({ query: requestListScopeSchema }, ({ ctx, query }) => listRequests(ctx, query))

import { removeHostsSchema } from '@/lib/schemas/api/host-removal-inputs'
import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { listRemovedHosts } from '@/lib/services/host/list-removed-hosts'
import { removeHosts } from '@/lib/services/host/remove-hosts'

export const dynamic = 'force-dynamic'

export const GET = route({ query: cloudScopeSchema }, ({ ctx, query }) => listRemovedHosts(ctx, query))

export const POST = route({ query: cloudScopeSchema, body: removeHostsSchema }, ({ ctx, query, body }) =>
  removeHosts(ctx, { ...query, ...body }),
)

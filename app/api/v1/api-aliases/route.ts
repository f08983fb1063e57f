import { enterAliasesSchema } from '@/lib/schemas/api/api-alias-inputs'
import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { getApiAliases } from '@/lib/services/api-alias/get-api-aliases'
import { forgetAliases, setAliases } from '@/lib/services/api-alias/set-aliases'

export const dynamic = 'force-dynamic'

export const GET = route({ query: cloudScopeSchema }, ({ ctx, query }) => getApiAliases(ctx, query))

export const PUT = route({ query: cloudScopeSchema, body: enterAliasesSchema }, ({ ctx, query, body }) =>
  setAliases(ctx, { ...query, body }),
)

export const DELETE = route({ query: cloudScopeSchema }, ({ ctx, query }) => forgetAliases(ctx, query))

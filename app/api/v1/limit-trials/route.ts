import { tryLimitSchema } from '@/lib/schemas/api/limit-trial-inputs'
import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { tryLimit } from '@/lib/services/limit-set-up/try-limit'

export const dynamic = 'force-dynamic'

export const POST = route({ query: cloudScopeSchema, body: tryLimitSchema }, ({ ctx, query, body }) =>
  tryLimit(ctx, { ...query, body }),
)

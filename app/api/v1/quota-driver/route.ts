import { enterDriverSchema } from '@/lib/schemas/api/quota-driver-inputs'
import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { getQuotaDriver } from '@/lib/services/quota-driver/get-quota-driver'
import { setDriver, withdrawDriver } from '@/lib/services/quota-driver/set-driver'

export const dynamic = 'force-dynamic'

export const GET = route({ query: cloudScopeSchema }, ({ ctx, query }) => getQuotaDriver(ctx, query))

export const PUT = route({ query: cloudScopeSchema, body: enterDriverSchema }, ({ ctx, query, body }) =>
  setDriver(ctx, { ...query, body }),
)

export const DELETE = route({ query: cloudScopeSchema }, ({ ctx, query }) => withdrawDriver(ctx, query))

import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { countChanges } from '@/lib/services/change/count-changes'

export const dynamic = 'force-dynamic'

export const GET = route({ query: cloudScopeSchema }, ({ ctx, query }) => countChanges(ctx, query))

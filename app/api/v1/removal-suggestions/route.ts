import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { listRemovalSuggestions } from '@/lib/services/host/list-removal-suggestions'

export const dynamic = 'force-dynamic'

export const GET = route({ query: cloudScopeSchema }, ({ ctx, query }) => listRemovalSuggestions(ctx, query))

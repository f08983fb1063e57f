import { utilisationScopeSchema } from '@/lib/schemas/api/utilisation-inputs'
import { route } from '@/lib/server/http/route'
import { getUtilisation } from '@/lib/services/utilisation/get-utilisation'

export const dynamic = 'force-dynamic'

export const GET = route({ query: utilisationScopeSchema }, ({ ctx, query }) => getUtilisation(ctx, query))

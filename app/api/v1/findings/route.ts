import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { listFindings } from '@/lib/services/finding/list-findings'

export const dynamic = 'force-dynamic'

export const GET = route({ query: cloudScopeSchema }, ({ ctx, query }) => listFindings(ctx, query))

import { findingScopeSchema } from '@/lib/schemas/api/scope'
import { versionedJson } from '@/lib/server/http/conditional'
import { route } from '@/lib/server/http/route'
import { listFindings } from '@/lib/services/finding/list-findings'

export const dynamic = 'force-dynamic'

export const GET = route({ query: findingScopeSchema }, async ({ ctx, request, query }) =>
  versionedJson(request, await listFindings(ctx, query)),
)

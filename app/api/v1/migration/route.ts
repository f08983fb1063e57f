import { migrationScopeSchema } from '@/lib/schemas/api/scope'
import { conditionalJson } from '@/lib/server/http/conditional'
import { route } from '@/lib/server/http/route'
import { getMigration } from '@/lib/services/migration/get-migration'

export const dynamic = 'force-dynamic'

export const GET = route({ query: migrationScopeSchema }, async ({ ctx, request, query }) =>
  conditionalJson(request, await getMigration(ctx, query)),
)

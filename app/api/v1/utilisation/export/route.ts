import { utilisationScopeSchema } from '@/lib/schemas/api/utilization-inputs'
import { attachment } from '@/lib/server/http/attachment'
import { route } from '@/lib/server/http/route'
import { exportUtilisation } from '@/lib/services/utilization/export-utilization'

export const dynamic = 'force-dynamic'

export const GET = route({ query: utilisationScopeSchema }, async ({ ctx, query }) =>
  attachment(await exportUtilisation(ctx, query)),
)

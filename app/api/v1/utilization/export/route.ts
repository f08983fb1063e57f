import { utilizationScopeSchema } from '@/lib/schemas/api/utilization-inputs'
import { attachment } from '@/lib/server/http/attachment'
import { route } from '@/lib/server/http/route'
import { exportUtilization } from '@/lib/services/utilization/export-utilization'

export const dynamic = 'force-dynamic'

export const GET = route({ query: utilizationScopeSchema }, async ({ ctx, query }) =>
  attachment(await exportUtilization(ctx, query)),
)

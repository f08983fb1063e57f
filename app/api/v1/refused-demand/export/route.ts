import { refusedDemandScopeSchema } from '@/lib/schemas/api/refused-demand-inputs'
import { attachment } from '@/lib/server/http/attachment'
import { route } from '@/lib/server/http/route'
import { exportRefusedDemand } from '@/lib/services/demand/export-refused-demand'

export const dynamic = 'force-dynamic'

export const GET = route({ query: refusedDemandScopeSchema }, async ({ ctx, query }) =>
  attachment(await exportRefusedDemand(ctx, query)),
)

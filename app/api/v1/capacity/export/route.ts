import { capacityExportScopeSchema } from '@/lib/schemas/api/capacity-inputs'
import { attachment } from '@/lib/server/http/attachment'
import { route } from '@/lib/server/http/route'
import { exportCapacity } from '@/lib/services/capacity/export-capacity'

export const dynamic = 'force-dynamic'

export const GET = route({ query: capacityExportScopeSchema }, async ({ ctx, query }) =>
  attachment(await exportCapacity(ctx, query)),
)

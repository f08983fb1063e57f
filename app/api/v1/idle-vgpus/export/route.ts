import { idleVgpusScopeSchema } from '@/lib/schemas/api/utilization-inputs'
import { attachment } from '@/lib/server/http/attachment'
import { route } from '@/lib/server/http/route'
import { exportIdleVgpus } from '@/lib/services/utilization/export-utilization'

export const dynamic = 'force-dynamic'

export const GET = route({ query: idleVgpusScopeSchema }, async ({ ctx, query }) =>
  attachment(await exportIdleVgpus(ctx, query)),
)

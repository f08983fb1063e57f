import { removedHostParamsSchema, restoreHostSchema } from '@/lib/schemas/api/host-removal-inputs'
import { route } from '@/lib/server/http/route'
import { restoreHost } from '@/lib/services/host/restore-host'

export const dynamic = 'force-dynamic'

export const POST = route(
  { params: removedHostParamsSchema, body: restoreHostSchema },
  ({ ctx, params, body }) => restoreHost(ctx, { ...params, ...body }),
)

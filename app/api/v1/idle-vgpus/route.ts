import { idleVgpusScopeSchema } from '@/lib/schemas/api/utilization-inputs'
import { route } from '@/lib/server/http/route'
import { listIdleVgpus } from '@/lib/services/utilization/list-idle-vgpus'

export const dynamic = 'force-dynamic'

export const GET = route({ query: idleVgpusScopeSchema }, ({ ctx, query }) => listIdleVgpus(ctx, query))

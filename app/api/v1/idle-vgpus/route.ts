import { idleVgpusScopeSchema } from '@/lib/schemas/api/utilisation-inputs'
import { route } from '@/lib/server/http/route'
import { listIdleVgpus } from '@/lib/services/utilisation/list-idle-vgpus'

export const dynamic = 'force-dynamic'

export const GET = route({ query: idleVgpusScopeSchema }, ({ ctx, query }) => listIdleVgpus(ctx, query))

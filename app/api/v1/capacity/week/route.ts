import { capacityWeekScopeSchema } from '@/lib/schemas/api/capacity-inputs'
import { route } from '@/lib/server/http/route'
import { getWeek } from '@/lib/services/capacity/get-week'

export const dynamic = 'force-dynamic'

export const GET = route({ query: capacityWeekScopeSchema }, ({ ctx, query }) => getWeek(ctx, query))

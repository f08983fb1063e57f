import { capacityMarksScopeSchema } from '@/lib/schemas/api/capacity-inputs'
import { route } from '@/lib/server/http/route'
import { getMarks } from '@/lib/services/capacity/get-marks'

export const dynamic = 'force-dynamic'

export const GET = route({ query: capacityMarksScopeSchema }, ({ ctx, query }) => getMarks(ctx, query))

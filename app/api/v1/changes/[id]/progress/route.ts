import { changeParamsSchema } from '@/lib/schemas/api/change-inputs'
import { route } from '@/lib/server/http/route'
import { getChangeProgress } from '@/lib/services/change/get-change'

export const dynamic = 'force-dynamic'

export const GET = route({ params: changeParamsSchema }, ({ ctx, params }) => getChangeProgress(ctx, params))

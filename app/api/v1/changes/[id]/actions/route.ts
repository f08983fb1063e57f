import { actOnChangeSchema, changeParamsSchema } from '@/lib/schemas/api/change-inputs'
import { route } from '@/lib/server/http/route'
import { actOnChange } from '@/lib/services/change/act-on-change'

export const dynamic = 'force-dynamic'

export const POST = route({ params: changeParamsSchema, body: actOnChangeSchema }, ({ ctx, params, body }) =>
  actOnChange(ctx, { ...params, body }),
)

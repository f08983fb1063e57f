import { changeParamsSchema, changeTermsSchema } from '@/lib/schemas/api/change-inputs'
import { route } from '@/lib/server/http/route'
import { setTerms } from '@/lib/services/change/set-terms'

export const dynamic = 'force-dynamic'

export const PUT = route({ params: changeParamsSchema, body: changeTermsSchema }, ({ ctx, params, body }) =>
  setTerms(ctx, { ...params, body }),
)

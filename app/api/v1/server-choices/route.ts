import { serverChoicesScopeSchema } from '@/lib/schemas/api/create-server-inputs'
import { route } from '@/lib/server/http/route'
import { getServerChoices } from '@/lib/services/create-server/get-server-choices'

export const dynamic = 'force-dynamic'

export const GET = route({ query: serverChoicesScopeSchema }, ({ ctx, query }) =>
  getServerChoices(ctx, query),
)

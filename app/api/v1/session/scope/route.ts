import { chooseScopeSchema } from '@/lib/schemas/api/session'
import { route } from '@/lib/server/http/route'
import { chooseScope } from '@/lib/services/session/choose-scope'

export const dynamic = 'force-dynamic'

export const POST = route({ admits: 'session', body: chooseScopeSchema }, ({ ctx, body }) =>
  chooseScope(ctx, { body }),
)

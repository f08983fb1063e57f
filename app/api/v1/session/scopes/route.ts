import { route } from '@/lib/server/http/route'
import { listScopes } from '@/lib/services/session/list-scopes'

export const dynamic = 'force-dynamic'

export const GET = route({ admits: 'session' }, ({ ctx }) => listScopes(ctx))

import { sessionParamsSchema } from '@/lib/schemas/api/session-params'
import { route } from '@/lib/server/http/route'
import { endSessionById } from '@/lib/services/session/end-sessions'

export const dynamic = 'force-dynamic'

export const DELETE = route({ params: sessionParamsSchema }, ({ ctx, params }) => endSessionById(ctx, params))

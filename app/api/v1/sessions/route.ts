import { endSessionsQuerySchema } from '@/lib/schemas/api/session-inputs'
import { jsonWithCookies } from '@/lib/server/http/json-with-cookies'
import { route } from '@/lib/server/http/route'
import { noSessionCookie } from '@/lib/server/session/session-cookie'
import { endSessions } from '@/lib/services/session/end-sessions'
import { listSessions } from '@/lib/services/session/list-sessions'

export const dynamic = 'force-dynamic'

export const GET = route({}, ({ ctx }) => listSessions(ctx))

export const DELETE = route({ query: endSessionsQuerySchema }, async ({ ctx, env, query }) => {
  await endSessions(ctx, query)
  return jsonWithCookies(null, query.which === 'all' ? [noSessionCookie(env)] : [])
})

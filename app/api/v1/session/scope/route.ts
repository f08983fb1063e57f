import { chooseScopeSchema } from '@/lib/schemas/api/session-inputs'
import { jsonWithCookies } from '@/lib/server/http/json-with-cookies'
import { route } from '@/lib/server/http/route'
import { sessionCookie } from '@/lib/server/session/session-cookie'
import { chooseScope } from '@/lib/services/session/choose-scope'

export const dynamic = 'force-dynamic'

export const POST = route({ admits: 'session', body: chooseScopeSchema }, async ({ ctx, env, body }) => {
  const { id, account } = await chooseScope(ctx, { body })
  return jsonWithCookies(account, [sessionCookie(env, id)])
})

import { signInSchema } from '@/lib/schemas/api/session-inputs'
import { jsonWithCookies } from '@/lib/server/http/json-with-cookies'
import { route } from '@/lib/server/http/route'
import { noSessionCookie, readSessionCookie, sessionCookie } from '@/lib/server/session/session-cookie'
import { getAccount } from '@/lib/services/session/get-account'
import { logFailedSignIn } from '@/lib/services/session/log-failed-sign-in'
import { signInWithPassword } from '@/lib/services/session/sign-in'
import { signOut } from '@/lib/services/session/sign-out'

export const dynamic = 'force-dynamic'

export const GET = route({}, ({ ctx }) => getAccount(ctx))

export const POST = route({ admits: 'anyone', body: signInSchema }, async ({ ctx, env, facts, body }) => {
  const replaces = readSessionCookie(env, facts.cookie)
  const { id, isScoped } = await logFailedSignIn(ctx, { body, facts }, () =>
    signInWithPassword(ctx, { body, facts, replaces }),
  )
  return jsonWithCookies({ isScoped }, [sessionCookie(env, id)], 201)
})

export const DELETE = route({ admits: 'session' }, async ({ ctx, env }) => {
  await signOut(ctx)
  return jsonWithCookies(null, [noSessionCookie(env)])
})

import { redirectWithCookies } from '@/lib/server/http/json-with-cookies'
import { route } from '@/lib/server/http/route'
import { readSessionCookie, sessionCookie } from '@/lib/server/session/session-cookie'
import { finishWebSso } from '@/lib/services/session/finish-web-sso'
import { requireWebSso } from '@/lib/services/session/web-sso-cookies-of'
import { webSsoProblem } from '@/lib/services/session/web-sso-problem'
import { loginPath } from '@/lib/util/paths'

export const dynamic = 'force-dynamic'

/** The last step, in our own page: compares Keystone's form with the start in this browser. */
export const GET = route({ admits: 'anyone' }, async ({ ctx, env, facts }) => {
  const cookies = requireWebSso(ctx, env)
  const state = cookies.readState(facts.cookie, ctx.now())
  const tokenId = cookies.readToken(facts.cookie, ctx.now())
  if (state === null || tokenId === null)
    return redirectWithCookies(loginPath({ problem: 'not-started' }), cookies.none())
  const { cloud, next } = state
  try {
    const { id, isScoped } = await finishWebSso(ctx, {
      cloud,
      tokenId,
      facts,
      replaces: readSessionCookie(env, facts.cookie),
    })
    const location = isScoped ? next : loginPath({ next })
    return redirectWithCookies(location, [...cookies.none(), sessionCookie(env, id)])
  } catch (error) {
    const problem = webSsoProblem(ctx, error)
    return redirectWithCookies(loginPath({ next, problem, request: ctx.requestId }), cookies.none())
  }
})

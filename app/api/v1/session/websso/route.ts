import { webSsoStartSchema } from '@/lib/schemas/api/session-inputs'
import { checkSameOrigin } from '@/lib/server/http/check-same-origin'
import { redirectWithCookies } from '@/lib/server/http/json-with-cookies'
import { readFormField } from '@/lib/server/http/read-form-field'
import { requestOrigin } from '@/lib/server/http/request-origin'
import { route } from '@/lib/server/http/route'
import { startWebSso } from '@/lib/services/session/start-web-sso'
import { requireWebSso } from '@/lib/services/session/web-sso-cookies-of'
import { apiPaths, loginPath, safeNext } from '@/lib/util/paths'

export const dynamic = 'force-dynamic'

/**
 * Redirects the browser to Keystone and remembers that this browser requested it on our own page, since another site
 * could send its own token afterwards.
 */
export const GET = route(
  { admits: 'anyone', query: webSsoStartSchema },
  async ({ ctx, env, request, query }) => {
    checkSameOrigin(request.headers, env.url)
    const origin = requestOrigin(env, request.headers.get('host'))
    const location = await startWebSso(ctx, { cloud: query.cloud, provider: query.provider, origin })
    const state = { cloud: query.cloud, next: safeNext(query.next) }
    return redirectWithCookies(location, [requireWebSso(ctx, env).state(state, ctx.now())])
  },
)

/** Keystone's own page sends the token here, so it comes from another site and without our cookies. */
export const POST = route(
  { admits: 'anyone', isForeignPostExpected: true },
  async ({ ctx, env, request }) => {
    const tokenId = await readFormField(request, 'token')
    const cookie = requireWebSso(ctx, env).token(tokenId, ctx.now())
    if (cookie !== null) return redirectWithCookies(apiPaths.webSsoFinish(), [cookie])
    ctx.log.warn(
      { requestId: ctx.requestId },
      'WebSSO sign-in failed: the Keystone token does not fit into a cookie; use Fernet tokens',
    )
    return redirectWithCookies(loginPath({ problem: 'failed', request: ctx.requestId }), [])
  },
)

import { ApiError } from '../http/api-error'
import type { ApiAnswer } from '../http/api-request'
import { type KeystoneCall, type KeystoneHandler, type KeystoneRoute, param } from './keystone-handler'
import type { IdentityProvider } from './keystone-state'
import { issueToken, UNAUTHORIZED } from './tokens'

/** Host names are compared without case, everything else to the letter: a slash too many and it is another origin. */
const withLowerHost = (origin: string): string => {
  const found = /^([a-z]+:\/\/)([^/]*)(.*)$/i.exec(origin)
  return found === null ? origin : `${found[1]}${(found[2] ?? '').toLowerCase()}${found[3]}`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The page that carries an unscoped token to the dashboard by a form that sends itself. */
const page = (origin: string, token: string): string => `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign-in</title></head>
<body onload="document.forms['sso'].submit()">
<form id="sso" name="sso" action="${escaped(origin)}" method="post">
<p>One moment, please.</p>
<input type="hidden" name="token" id="token" value="${escaped(token)}">
<noscript><button type="submit">Continue</button></noscript>
</form>
</body>
</html>
`

const answer = (call: KeystoneCall, provider: IdentityProvider | undefined): ApiAnswer => {
  const { keystone } = call.cloud
  const protocol = param(call, 'protocol')
  const origin = call.request.query.get('origin')
  if (origin === null) throw new ApiError(400, 'Request must have an origin query parameter.')
  if (!keystone.trustedDashboards.map(withLowerHost).includes(withLowerHost(origin))) {
    throw new ApiError(401, UNAUTHORIZED)
  }
  if (provider === undefined || !provider.protocols.includes(protocol)) {
    throw new ApiError(404, `Could not find federated protocol ${protocol} for Identity Provider.`)
  }
  const token = issueToken(call.cloud, {
    userId: provider.userId,
    methods: [protocol],
    scope: { kind: 'unscoped' },
    federation: { providerId: provider.id, protocol },
  })
  return { status: 200, html: page(origin, token.id) }
}

/** Without a provider in the path the first with the protocol, as by `remote_id_attribute`. */
const byProtocol: KeystoneHandler = (call) =>
  answer(
    call,
    call.cloud.keystone.identityProviders.find(({ protocols }) =>
      protocols.includes(param(call, 'protocol')),
    ),
  )

const byProvider: KeystoneHandler = (call) =>
  answer(
    call,
    call.cloud.keystone.identityProviders.find(({ id }) => id === param(call, 'provider')),
  )

const BY_PROTOCOL = '/v3/auth/OS-FEDERATION/websso/:protocol'
const BY_PROVIDER = '/v3/auth/OS-FEDERATION/identity_providers/:provider/protocols/:protocol/websso'

/** The web server in front would send the browser to the provider first; the simulated one has accepted already. */
export const webSsoRoutes: KeystoneRoute[] = [
  { method: 'GET', path: BY_PROTOCOL, handler: byProtocol },
  { method: 'POST', path: BY_PROTOCOL, handler: byProtocol },
  { method: 'GET', path: BY_PROVIDER, handler: byProvider },
  { method: 'POST', path: BY_PROVIDER, handler: byProvider },
]

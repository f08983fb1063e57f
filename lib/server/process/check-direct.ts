import 'server-only'
import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@/lib/server/errors/service-error'

/** What proxies, load balancers and CDNs add to a request; browsers and scripts send none of these. */
const FORWARDING =
  /^(forwarded|via|x-forwarded(-.+)?|x-original-.+|x-real-ip|x-client-ip|x-cluster-client-ip|x-proxyuser-ip|x-envoy-.+|x-scheme|x-amzn-trace-id|x-azure-clientip|x-appengine-user-ip|cf-.+|cdn-loop|true-client-ip|fastly-client-ip|fly-client-ip)$/

const hostOf = (address: string | undefined): string | null =>
  address !== undefined && URL.canParse(address) ? new URL(address).host : null

/** A page under another name requests its data with that name as Referer, while the proxy sends its own Host. */
const hasOtherName = ({ headers }: IncomingMessage): boolean =>
  headers['sec-fetch-site'] === 'same-origin' &&
  [headers.referer, headers.origin].some((address) => {
    const host = hostOf(address)
    return host !== null && host !== headers.host
  })

/** How a request shows that it came through a proxy; null: it does not. */
const proxySign = (req: IncomingMessage): string | null => {
  const header = Object.keys(req.headers).find((name) => FORWARDING.test(name))
  if (header !== undefined) return `the header ${header}`
  // nginx uses HTTP/1.0 by default (proxy_http_version); browsers and curl do not.
  if (req.httpVersion === '1.0') return 'HTTP/1.0'
  return hasOtherName(req) ? 'a Referer or Origin that is not its Host' : null
}

/** Without sign-in everybody behind a proxy would be an admin. */
export const checkDirect = (req: IncomingMessage): void => {
  const sign = proxySign(req)
  if (sign === null) return
  throw new ServiceError(
    'forbidden',
    `This request came through a proxy (it has ${sign}), but this console has no sign-in, so everybody behind the proxy would be an admin: configure a cloud in clouds.yaml to turn sign-in on, or connect directly, for example with ssh -L.`,
  )
}

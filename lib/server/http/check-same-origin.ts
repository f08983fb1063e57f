import 'server-only'
import { ServiceError } from '@/lib/server/errors/service-error'

const hostOf = (origin: string): string | null => {
  try {
    return new URL(origin).host
  } catch {
    return null
  }
}

/** Under the console's own address the scheme counts too: a page over plain HTTP is not ours. */
const isOwnOrigin = (origin: string, host: string | null, url: string | null): boolean =>
  url !== null && hostOf(url) === host ? origin === url : hostOf(origin) === host

/**
 * Refuses a mutation that another site's page caused a browser to send. Browsers set Origin on every request that is not
 * GET or HEAD, and pages cannot forge it; a client that sends neither header is a script with its own credentials.
 */
export const checkSameOrigin = (headers: Headers, url: string | null): void => {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  const isForeignSite = site !== null && site !== 'same-origin' && site !== 'none'
  const isForeignOrigin = origin !== null && !isOwnOrigin(origin, headers.get('host'), url)
  if (isForeignSite || isForeignOrigin) {
    throw new ServiceError(
      'forbidden',
      `A change must come from Sliceboard's own pages, but this one came from ${origin ?? 'another site'}.`,
    )
  }
}

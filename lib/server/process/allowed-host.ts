import 'server-only'
import { isIP } from 'node:net'

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

const nameOf = (host: string): string => host.toLowerCase().replace(/:\d{1,5}$/, '')

const isAddress = (name: string): boolean => isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0

/**
 * Against DNS rebinding: a page of another site may let its own name point to this machine and would then share our
 * origin. Loopback names are ours; with sign-in (`url` given) so are the console's own name and plain addresses, which no
 * other site can carry. Any port will do, so that a port forwarded by ssh works.
 */
export const isAllowedHost = (host: string | undefined, url: string | null): boolean => {
  if (host === undefined) return false
  const name = nameOf(host)
  if (LOOPBACK_NAMES.includes(name)) return true
  return url !== null && (isAddress(name) || name === nameOf(new URL(url).host))
}

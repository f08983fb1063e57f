import 'server-only'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { inTime } from '@/lib/util/in-time'
import { addressClass } from './address-class'

/** A host that SLICEBOARD_WEBHOOK_HOSTS names; `port` null: any, `isPlain`: http is enough. */
export type NamedHost = { host: string; port: string | null; isPlain: boolean }

export type ResolvedAddress = { address: string; family: number }
/** Rejects when the name is not known. */
export type Resolve = (host: string) => Promise<ResolvedAddress[]>

export const resolveHost: Resolve = (host) => lookup(host, { all: true, verbatim: true })

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'http:' ? '80' : '443')

const namedHost = (url: URL, named: readonly NamedHost[]): NamedHost | undefined =>
  named.find(({ host, port, isPlain }) => {
    const isSame = host === hostOf(url) && (port === null || port === portOf(url))
    return isSame && (isPlain || url.protocol === 'https:')
  })

const wayOut = (name: string): string => `name ${name} in SLICEBOARD_WEBHOOK_HOSTS if it is meant`

/** Why an address can't be that of a webhook, as the end of a sentence; null: by its letters it can. */
export const whyNotAddress = (text: string, named: readonly NamedHost[]): string | null => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an https address'
  if (url.username !== '' || url.password !== '') return 'must not hold a user or a password'
  const isNamed = namedHost(url, named) !== undefined
  if (url.protocol === 'http:' && !isNamed)
    return `must be an https address: what is sent over http can be read on the way; ${wayOut(url.origin)}`
  if (isIP(hostOf(url)) === 0) return null
  return whyNotResolved(url, [{ address: hostOf(url), family: isIP(hostOf(url)) }], named)
}

/** Why none of these may be called, as the end of a sentence; null: all of them may. */
const whyNotResolved = (
  url: URL,
  addresses: readonly ResolvedAddress[],
  named: readonly NamedHost[],
): string | null => {
  for (const { address } of addresses) {
    const kind = addressClass(address)
    if (kind === 'never') return `leads to ${address}, which is link-local or reserved and is never called`
    if (kind === 'inside' && namedHost(url, named) === undefined)
      return `leads to ${address}, which is on this machine or in a private network: ${wayOut('the host')}`
  }
  return null
}

const RESOLVE_MS = 5000

/** Where a call goes, resolved once; or why it is not made, as the end of a sentence about the receiver. */
export type Target = { url: URL; addresses: ResolvedAddress[] } | { because: string }

/**
 * Resolves an address and checks every result, so that no name leads to a forbidden address. The call then uses these
 * addresses without another lookup.
 */
export const findTarget = async (
  text: string,
  { named, resolve }: { named: readonly NamedHost[]; resolve: Resolve },
): Promise<Target> => {
  const because = whyNotAddress(text, named)
  if (because !== null) return { because: `its address ${because}` }
  const url = new URL(text)
  const host = hostOf(url)
  const family = isIP(host)
  try {
    const addresses = family === 0 ? await inTime(RESOLVE_MS, resolve(host)) : [{ address: host, family }]
    if (addresses === undefined)
      return { because: `the name ${host} was not resolved within ${RESOLVE_MS / 1000} s` }
    if (addresses.length === 0) return { because: `no address is known of ${host}` }
    const refusal = whyNotResolved(url, addresses, named)
    return refusal === null ? { url, addresses } : { because: `${host} ${refusal}` }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    return { because: `the name ${host} could not be resolved${code}` }
  }
}

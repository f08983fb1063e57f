import 'server-only'
import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { inTime } from '@/lib/util/in-time'

/** `never`: link-local, metadata services, and what no receiver can have; `inside`: loopback and private networks. */
type AddressClass = 'public' | 'inside' | 'never'

const listOf = (subnets: readonly (readonly [string, number])[]): BlockList => {
  const list = new BlockList()
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, isIPv6(net) ? 'ipv6' : 'ipv4')
  return list
}

/** IANA's special-purpose registries (RFC 6890), and the metadata services that stand outside link-local. */
const NEVER = listOf([
  ['0.0.0.0', 8],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
  ['2001:db8::', 32],
  ['3fff::', 20],
])

const INSIDE = listOf([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['::1', 128],
  ['fc00::', 7],
])

/** IPv4 addresses as IPv6 sockets name them (RFC 4291); not `::ffff:0:…` (RFC 2765), by which a translator is reached. */
const MAPPED = listOf([['::ffff:0:0', 96]])
const GLOBAL_V6 = listOf([['2000::', 3]])
/** Ways of an IPv4 address through IPv6: Teredo and 6to4. */
const TUNNELS = listOf([
  ['2001::', 32],
  ['2002::', 16],
])

/** The class of an IP address for calls. An IPv4 address inside an IPv6 one (`::ffff:…`) counts as IPv4. */
export const addressClass = (address: string): AddressClass => {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (NEVER.check(address, family)) return 'never'
  if (INSIDE.check(address, family)) return 'inside'
  if (family === 'ipv4') return 'public'
  if (MAPPED.check(address, 'ipv6')) return 'public'
  return GLOBAL_V6.check(address, 'ipv6') && !TUNNELS.check(address, 'ipv6') ? 'public' : 'never'
}

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

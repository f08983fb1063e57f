import 'server-only'
import { BlockList, isIPv6 } from 'node:net'

/** `never`: link-local, metadata services, and what no receiver can have; `inside`: loopback and private networks. */
export type AddressClass = 'public' | 'inside' | 'never'

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

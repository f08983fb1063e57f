import { isIPv4, isIPv6 } from 'node:net'

const GROUPS = 8

const ipv6Groups = (address: string): string[] => {
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const [left, right] = [groups(head), groups(tail ?? '')]
  const zeros = Array<string>(Math.max(0, GROUPS - left.length - right.length)).fill('0')
  return [...left, ...zeros, ...right].map((group) => group.replace(/^0+(?=.)/, ''))
}

/** What one client has at least: an IPv4 address, or the 2⁶⁴ addresses of one IPv6 network. */
export const clientNetwork = (address: string): string =>
  isIPv6(address) ? ipv6Groups(address).slice(0, 4).join(':') : address

/** What one owner has at least, as registries assign it: a /24 of IPv4, a /48 of IPv6. */
export const ownerNetwork = (address: string): string => {
  if (isIPv4(address)) return address.split('.').slice(0, 3).join('.')
  return isIPv6(address) ? ipv6Groups(address).slice(0, 3).join(':') : address
}

import 'server-only'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * Where a request comes from. Each of our own proxies adds to the right of X-Forwarded-For what it saw; what stands further
 * left anybody may have written.
 */
export const clientAddress = (
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  proxies: number,
): string => {
  const peer = plain(socket.remoteAddress ?? 'unknown')
  if (proxies === 0) return peer
  const told = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').map(plain)
  const address = told.at(-proxies) ?? ''
  return isIP(address) === 0 ? peer : address
}

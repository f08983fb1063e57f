import 'server-only'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * The address of a request's client. Each of the configured proxies appends the address that it saw to X-Forwarded-For;
 * entries further to the left may be forged.
 */
export const clientAddress = (
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  proxies: number,
): string => {
  const peer = plain(socket.remoteAddress ?? 'unknown')
  if (proxies === 0) return peer
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').map(plain)
  const address = forwarded.at(-proxies) ?? ''
  return isIP(address) === 0 ? peer : address
}

import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress } from './client-address'

const request = (forwarded?: string, remoteAddress = '::ffff:10.0.0.9') =>
  ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  }) as unknown as Pick<IncomingMessage, 'headers' | 'socket'>

test.each([
  [undefined, 0, '10.0.0.9'],
  ['1.2.3.4', 0, '10.0.0.9'],
  ['1.2.3.4', 1, '1.2.3.4'],
  ['6.6.6.6, 1.2.3.4', 1, '1.2.3.4'],
  ['6.6.6.6, 2001:db8::1, 10.0.0.8', 2, '2001:db8::1'],
  ['1.2.3.4', 2, '10.0.0.9'],
  ['<script>', 1, '10.0.0.9'],
  [undefined, 1, '10.0.0.9'],
])('forwarded for %s behind %d proxies it comes from %s', (forwarded, proxies, address) => {
  expect(clientAddress(request(forwarded), proxies)).toBe(address)
})

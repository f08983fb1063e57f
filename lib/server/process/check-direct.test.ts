import { connect } from 'node:net'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { parseEnv } from '@/lib/server/settings/env'
import { createHttpServer } from './http-server'
import { listen } from './listen'
import { openSignIn } from './open-sign-in'
import { closeHttpServer } from './run-server'

/** The status line of the answer to raw lines, so that no client adds or drops any. */
const ask = async (lines: readonly string[], hasSignIn: boolean): Promise<string> => {
  const http = createHttpServer({ isDevelopment: false, log: pino({ level: 'silent' }), hasSignIn })
  onTestFinished(() => closeHttpServer(http))
  http.serve(async (_req, res) => res.end('page'))
  const port = await listen({ server: http.server, host: '127.0.0.1', port: 0 })
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`),
    )
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject).on('close', () => resolve(text))
  })
}

const get = (...headers: string[]) => ['GET /gpus HTTP/1.1', 'Host: 127.0.0.1:3000', ...headers]

test.each([
  [get('X-Forwarded-For: 192.0.2.7')],
  [get('X-Forwarded-Proto: https')],
  [get('X-Forwarded: for=1')],
  [get('Forwarded: for=192.0.2.7')],
  [get('X-Real-IP: 192.0.2.7')],
  [get('Via: 1.1 proxy')],
  [get('CF-Connecting-IP: 192.0.2.7')],
  [get('True-Client-IP: 192.0.2.7')],
  [get('X-Envoy-External-Address: 192.0.2.7')],
  // nginx with its default headers.
  [['GET /gpus HTTP/1.0', 'Host: 127.0.0.1:3000']],
  [get('Sec-Fetch-Site: same-origin', 'Referer: https://console.example/gpus')],
  [get('Sec-Fetch-Site: same-origin', 'Origin: https://console.example')],
])('without sign-in %j is refused, with sign-in it is served', async (lines) => {
  const refused = await ask(lines, false)
  expect(refused).toMatch(/^HTTP\/1\.1 403/)
  expect(refused).toContain('This request came through a proxy (it has ')
  expect(await ask(lines, true)).toMatch(/^HTTP\/1\.1 200/)
})

test.each([
  [get()],
  [get('Sec-Fetch-Site: none')],
  [get('Sec-Fetch-Site: same-origin', 'Referer: http://127.0.0.1:3000/gpus')],
  // A link on another page, typed into no address bar.
  [get('Sec-Fetch-Site: cross-site', 'Referer: https://wiki.example/runbook')],
])('without sign-in %j comes directly and is served', async (lines) => {
  expect(await ask(lines, false)).toMatch(/^HTTP\/1\.1 200/)
})

test('proxies are not configured for a console without sign-in', () => {
  const env = parseEnv({ SLICEBOARD_PROXIES: '1' })
  expect(() => openSignIn({ env, log: pino({ level: 'silent' }), accounts: [] })).toThrow(
    'SLICEBOARD_PROXIES is "1", but without sign-in everybody behind a proxy would be an admin',
  )
})

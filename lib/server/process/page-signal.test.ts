import { type ClientRequest, request } from 'node:http'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setRuntime } from '@/lib/server/context/runtime'
import type { Database } from '@/lib/server/database/database'
import { pageContext } from '@/lib/server/http/page-context'
import { createTestRuntime } from '../testing/test-runtime'
import { createHttpServer, type HttpServer } from './http-server'
import { listen } from './listen'
import { closeHttpServer } from './run-server'

const requested = vi.hoisted(() => ({ headers: new Headers() }))
vi.mock('next/headers', () => ({ headers: async () => requested.headers }))

let http: HttpServer
let port: number
/** Of the pages that were requested, in their order. */
let signals: (AbortSignal | undefined)[]
let answer: () => void

beforeEach(async () => {
  // Without sign-in nothing reads the database.
  setRuntime(createTestRuntime({ database: {} as Database }))
  signals = []
  http = createHttpServer({ isDevelopment: false, log: pino({ level: 'silent' }) })
  port = await listen({ server: http.server, host: '127.0.0.1', port: 0 })
  http.serve(async (req, res) => {
    requested.headers = new Headers(req.headers as Record<string, string>)
    signals.push((await pageContext()).signal)
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    res.end('page')
  })
})
afterEach(() => closeHttpServer(http))

const open = (path: string): ClientRequest => {
  const req = request({ host: '127.0.0.1', port, path })
  req.on('error', () => undefined)
  return req.end()
}

const received = (count: number) => vi.waitFor(() => expect(signals).toHaveLength(count))

test('the work for a page stops when the browser leaves, and not that for other pages', async () => {
  const leaving = open('/quotas')
  await received(1)
  open('/quotas')
  await received(2)
  leaving.destroy()
  await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true))
  expect(signals[1]?.aborted).toBe(false)
  answer()
})

test('what a page started continues when the browser has the whole page', async () => {
  const req = open('/gpu-room')
  const closed = new Promise((resolve) => req.on('close', resolve))
  req.on('response', (res) => res.resume())
  await received(1)
  answer()
  await closed
  expect(signals[0]?.aborted).toBe(false)
})

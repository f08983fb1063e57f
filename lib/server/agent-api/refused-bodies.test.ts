import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { AGENT_PATHS } from '@/lib/schemas/agent/report'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import type { Database } from '../database/database'
import { type SlowSender, sendSlowly } from '../process/testing/slow-sender'
import { createTestDatabase } from '../testing/test-database'
import { AGENT_RATES } from './agent-gate'
import { createHold } from './hold'
import { drainBody } from './read-body'
import { type AgentConsole, startAgentConsole } from './testing/agent-console'

const MANY = 300
vi.setConfig({ testTimeout: 60_000 })
const MEBIBYTE = 1_048_576
const position = { boot: 1, sequence: 1 }
const digest = 'A'.repeat(43)

describe('what still comes of a refused body', () => {
  const refused = () => new PassThrough() as unknown as IncomingMessage & PassThrough
  afterEach(() => vi.useRealTimers())

  test('is thrown away, up to 16 MiB', async () => {
    const req = refused()
    drainBody(req)
    for (let sent = 0; sent < 16; sent += 1) req.write(Buffer.alloc(MEBIBYTE))
    await vi.waitFor(() => expect(req.readableLength).toBe(0))
    expect(req.destroyed).toBe(false)
    req.write(Buffer.alloc(1))
    await vi.waitFor(() => expect(req.destroyed).toBe(true))
  })

  test('is thrown away for five seconds', () => {
    vi.useFakeTimers()
    const req = refused()
    drainBody(req)
    vi.advanceTimersByTime(4999)
    expect(req.destroyed).toBe(false)
    vi.advanceTimersByTime(1)
    expect(req.destroyed).toBe(true)
  })

  test('is nothing where all has come', () => {
    const req = Object.assign(new EventEmitter(), { complete: true }) as unknown as IncomingMessage
    drainBody(req)
    expect(req.listenerCount('data')).toBe(0)
  })
})

test('no more than 512 refusals are held at once: the next goes out as it comes', async () => {
  const hold = createHold(1)
  const socket = { pause: vi.fn(), resume: vi.fn() }
  const held = Array.from({ length: 600 }, () => hold({ socket } as unknown as IncomingMessage))
  expect(socket.pause).toHaveBeenCalledTimes(512)
  await Promise.all(held)
  expect(socket.resume).toHaveBeenCalledTimes(512)
})

let database: Database
let agents: AgentConsole
let senders: SlowSender[]

beforeAll(async () => {
  database = await createTestDatabase()
  await addCloud(database, 'lab')
})
afterAll(() => database.close())
beforeEach(async () => {
  senders = []
  const rates = { ...AGENT_RATES, perCredential: { burst: 1000, perSecond: 1000 } }
  agents = await startAgentConsole({ database, bodyTimeoutMs: 500, rates })
})
afterEach(async () => {
  for (const { stop } of senders) stop()
  await agents.stop()
})

const slowly = (path: string, credential: string): SlowSender => {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: console',
    `Authorization: Bearer ${credential}`,
    'Content-Type: application/json',
    'Content-Length: 10000',
  ]
  const sender = sendSlowly(agents.port, `${head.join('\r\n')}\r\n\r\n`)
  senders.push(sender)
  return sender
}

test('300 concurrent slow reports are cut, and an honest host is answered in the meantime', async () => {
  const [slow, honest] = [await agents.enrolled('cmp-01'), await agents.enrolled('cmp-02')]
  const all = Array.from({ length: MANY }, () => slowly(AGENT_PATHS.reports, slow))
  expect((await agents.heartbeat(honest, position, digest)).status).toBe(409)
  for (const answer of await Promise.all(all.map(({ closed }) => closed)))
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*\r\nconnection: close\r\n.*body_timeout/is)
  expect((await agents.heartbeat(honest, position, digest)).status).toBe(409)
})

test('slow bodies behind a 401 delay no other host', async () => {
  const honest = await agents.enrolled('cmp-02')
  const all = Array.from({ length: MANY }, () => slowly(AGENT_PATHS.reports, `sbac_9_${digest}`))
  for (const answer of await Promise.all(all.map(({ answered }) => answered)))
    expect(answer).toMatch(/^HTTP\/1\.1 (401|429) /)
  expect((await agents.heartbeat(honest, position, digest)).status).toBe(409)
})

test('an enrolment whose body drips is given up like a report', async () => {
  const { closed } = slowly(AGENT_PATHS.enroll, await agents.joinToken())
  expect(await closed).toMatch(/^HTTP\/1\.1 408 /)
})

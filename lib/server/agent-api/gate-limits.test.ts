import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { AGENT_PATHS } from '@/lib/schemas/agent/report'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import type { Database } from '../database/database'
import { createTestDatabase } from '../testing/test-database'
import { AGENT_RATES } from './agent-gate'
import { type AgentConsole, startAgentConsole } from './testing/agent-console'

const position = { boot: 1, sequence: 1 }
const digest = 'A'.repeat(43)
const MADE_UP = `sbac_9_${digest}`

let database: Database
let agents: AgentConsole

beforeAll(async () => {
  database = await createTestDatabase()
  await addCloud(database, 'lab')
})
afterAll(() => database.close())
afterEach(() => agents.stop())

const start = async (options: Partial<Parameters<typeof startAgentConsole>[0]> = {}) => {
  agents = await startAgentConsole({ database, ...options })
}

test('so many hosts may enrol at once, and an enrolment counts among all messages too', async () => {
  const slow = { burst: 2, perSecond: 0.1 }
  for (const rates of [
    { ...AGENT_RATES, enrolment: slow },
    { ...AGENT_RATES, all: slow },
  ]) {
    await start({ rates })
    const token = await agents.joinToken()
    const answers = []
    for (const hostName of ['cmp-1', 'cmp-2', 'cmp-3']) answers.push(await agents.enroll(token, { hostName }))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429])
    expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThan(0)
    await agents.stop()
  }
  await start()
})

test('an enrolment is small and comes plain', async () => {
  await start()
  const token = await agents.joinToken()
  const body = JSON.stringify({ contractVersion: 1, hostName: 'cmp-01', agentVersion: '0.1.0' })
  const enrol = (sent: string | Buffer, headers: Record<string, string> = {}) =>
    agents.send({
      path: AGENT_PATHS.enroll,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: sent,
    })
  expect((await enrol(body.padEnd(16_385))).status).toBe(413)
  expect((await enrol(gzipSync(body), { 'content-encoding': 'gzip' })).body.error.code).toBe(
    'unsupported_encoding',
  )
  expect((await enrol(body, { 'content-type': 'text/plain' })).body.error.code).toBe('unsupported_media_type')
  expect((await enrol(body.padEnd(16_384))).status).toBe(201)
})

test('no cache stores an answer to an agent, and a refused credential gets an answer with what is required', async () => {
  await start()
  const credential = await agents.enrolled()
  const [taken, refused] = [
    await agents.enroll(await agents.joinToken(), { hostName: 'cmp-02' }),
    await agents.heartbeat(MADE_UP, position, digest),
  ]
  expect([taken.status, taken.headers['cache-control']]).toEqual([201, 'no-store'])
  expect([refused.status, refused.headers['cache-control'], refused.headers['www-authenticate']]).toEqual([
    401,
    'no-store',
    'Bearer',
  ])
  expect((await agents.heartbeat(credential, position, digest)).headers['cache-control']).toBe('no-store')
})

test('a host that sends too often waits for the refusal, and others do not', async () => {
  await start({
    refusalHeldMs: 3000,
    rates: { ...AGENT_RATES, perCredential: { burst: 1, perSecond: 0.01 } },
  })
  const [hasty, honest] = [await agents.enrolled('cmp-01'), await agents.enrolled('cmp-02')]
  expect((await agents.heartbeat(hasty, position, digest)).status).toBe(409)
  const order: number[] = []
  const note = ({ status }: { status: number }) => order.push(status)
  await Promise.all([
    agents.heartbeat(hasty, position, digest).then(note),
    agents.heartbeat(honest, position, digest).then(note),
  ])
  expect(order).toEqual([409, 429])
})

test('the permission of a page is none of an agent: nothing but its own paths takes a credential', async () => {
  await start()
  const credential = await agents.enrolled()
  const headers = { authorization: `Bearer ${credential}` }
  for (const path of ['/api/agent/v1/hosts', '/api/agent/v1/../../v1/hosts', '/api/agent/v1/__proto__'])
    expect((await agents.send({ path, headers })).status).toBe(404)
})

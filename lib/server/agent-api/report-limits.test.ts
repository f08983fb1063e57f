import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { AGENT_PATHS, REPORT_LIMITS } from '@/lib/schemas/agent/report'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import type { Database } from '../database/database'
import { createTestDatabase } from '../testing/test-database'
import { AGENT_RATES } from './agent-gate'
import { type AgentConsole, type Answer, reportJson, startAgentConsole } from './testing/agent-console'

let database: Database
let agents: AgentConsole
let credential: string

beforeAll(async () => {
  database = await createTestDatabase()
  await addCloud(database, 'lab')
})

afterAll(() => database.close())

beforeEach(async () => {
  agents = await startAgentConsole({ database, bodyTimeoutMs: 300 })
  credential = await agents.enrolled()
})

afterEach(async () => {
  await agents.stop()
  // Refused reports stored nothing.
  const hosts = await database.prisma.host.findMany({ include: { pgpus: true, inventory: true } })
  for (const host of hosts) expect([host.sequence, host.pgpus, host.inventory]).toEqual([0, [], null])
})

const position = { boot: 1, sequence: 1 }
const wordsOf = ({ status, body }: Answer) => [
  status,
  body?.error?.code,
  body?.error?.field,
  body?.error?.message,
]
const changed = (change: Record<string, unknown>) =>
  reportJson({ inventory: t4SeedHost(), position, ...change })
const withInventory = (change: Record<string, unknown>): string => {
  const inventory = { ...t4SeedHost(), ...change } as Inventory
  return reportJson({ inventory, position })
}

test('a report of too many bytes is refused before it is read', async () => {
  const answer = await agents.report(credential, Buffer.alloc(REPORT_LIMITS.compressedBytes + 1), {
    'content-encoding': 'gzip',
  })
  expect(wordsOf(answer)).toEqual([
    413,
    'too_large_compressed',
    undefined,
    'The body has 1048577 bytes, but at most 1048576 are taken. Check what the agent found on this host.',
  ])
})

test('a large body without gzip is refused with the request to send gzip', async () => {
  const answer = await agents.report(credential, Buffer.alloc(REPORT_LIMITS.uncompressedBytes + 1), {
    'content-encoding': 'identity',
  })
  expect(wordsOf(answer)).toEqual([
    413,
    'too_large_uncompressed',
    undefined,
    'The body has 8388609 bytes, but at most 8388608 are taken as they come. Send it as gzip, as the agent does.',
  ])
})

test('a body without a length is cut off at the limit, and the answer still arrives', async () => {
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'transfer-encoding': 'chunked',
    }
    const options = {
      port: agents.port,
      host: '127.0.0.1',
      method: 'POST',
      path: AGENT_PATHS.reports,
      headers,
    }
    const req = request(options, (res) => {
      res.resume()
      resolve(res.statusCode)
    })
    req.on('error', reject)
    for (let n = 0; n < 40; n += 1) req.write(Buffer.alloc(65_536))
    req.end()
  })
  expect(answer).toBe(413)
})

test('a zip bomb is unpacked to the limit and no further', async () => {
  const bomb = gzipSync(Buffer.alloc(192 * 1024 * 1024))
  expect(bomb.length).toBeLessThan(REPORT_LIMITS.compressedBytes)
  const before = process.memoryUsage().rss
  const answer = await agents.report(credential, bomb, { 'content-encoding': 'gzip' })
  expect(wordsOf(answer)).toEqual([
    413,
    'too_large_uncompressed',
    undefined,
    'The report has 201326592 bytes when unpacked, but at most 8388608 are taken. Check what the agent found on this host.',
  ])
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
})

test('what is not gzip, or ends in the middle, is refused as such', async () => {
  for (const bytes of [Buffer.from('{}'), gzipSync(changed({})).subarray(0, 500)]) {
    const answer = await agents.report(credential, bytes, { 'content-encoding': 'gzip' })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'broken_gzip'])
  }
})

test('what is not JSON is refused as such', async () => {
  const answer = await agents.report(credential, '{"contractVersion":')
  expect([answer.status, answer.body.error.code]).toEqual([400, 'broken_json'])
})

test('an unknown version of the contract is refused with the version that is supported', async () => {
  expect(wordsOf(await agents.report(credential, changed({ contractVersion: 2, news: true })))).toEqual([
    400,
    'unknown_contract_version',
    'contractVersion',
    'contractVersion is 2, but this console supports version 1. Install the agent that this console serves.',
  ])
})

test('an invalid value is refused by field, value and rule', async () => {
  const cases: [string, string, string][] = [
    [
      changed({ position: { boot: 0, sequence: 1 } }),
      'position.boot',
      'position.boot is 0, but must be at least 1.',
    ],
    [changed({ shade: 'red' }), 'shade', 'shade is not a known field.'],
    [
      withInventory({ gpus: [{ ...t4SeedHost().gpus[0], address: '18:00.0' }] }),
      'inventory.gpus[0].address',
      'inventory.gpus[0].address is "18:00.0", but',
    ],
    [
      withInventory({ mdevs: [{ ...t4SeedHost().mdevs?.[0], uuid: 'not a uuid; DROP TABLE host' }] }),
      'inventory.mdevs[0].uuid',
      'inventory.mdevs[0].uuid is "not a uuid; DROP TABLE host", but must be a uuid.',
    ],
    [
      changed({}).replace(/"takenAt":"[^"]*"/, '"takenAt":"yesterday"'),
      'takenAt',
      'takenAt is "yesterday", but',
    ],
  ]
  for (const [json, field, message] of cases) {
    const answer = await agents.report(credential, json)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_report'])
    expect([answer.body.error.field ?? '', answer.body.error.message]).toEqual([
      field,
      expect.stringContaining(message),
    ])
  }
})

test('10,000 types are refused by the limit', async () => {
  const [type] = t4SeedHost().vgpuTypes
  const vgpuTypes = Array.from({ length: 10_000 }, (_, n) => ({ ...type, typeId: `nvidia-${n}` }))
  expect(wordsOf(await agents.report(credential, withInventory({ vgpuTypes })))).toEqual([
    400,
    'invalid_report',
    'inventory.vgpuTypes',
    expect.stringContaining('must have at most 4096 entries'),
  ])
})

test('JSON nested deep, or of very many values, is refused without going down', async () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  const nested = await agents.report(credential, changed({}).replace('"problems":[]', `"problems":${deep}`))
  expect(wordsOf(nested).slice(0, 2)).toEqual([400, 'invalid_report'])
  expect(nested.body.error.message).toBe('The report is nested more than 16 deep, but no report is.')
  const wide = await agents.report(credential, withInventory({ problems: new Array(300_000).fill(0) }))
  expect(wide.body.error.message).toContain('more than 250000 values')
})

test('a NUL character is refused by its place', async () => {
  const host = { ...t4SeedHost().host, osName: 'Ubuntu\0' }
  expect(wordsOf(await agents.report(credential, withInventory({ host })))).toEqual([
    400,
    'invalid_report',
    'inventory.host.osName',
    'inventory.host.osName holds a NUL character, which no text of a report may. Install the agent that this console serves.',
  ])
})

test('a digest of something else is refused with the right one', async () => {
  const answer = await agents.report(credential, changed({ digest: 'A'.repeat(43) }))
  expect(wordsOf(answer)).toEqual([
    400,
    'digest_mismatch',
    'digest',
    `digest is ${'A'.repeat(43)}, but the inventory's is ${inventoryDigest(t4SeedHost())}. Install the agent that this console serves.`,
  ])
})

test('another media type or encoding is refused', async () => {
  const text = await agents.report(credential, changed({}), { 'content-type': 'text/plain' })
  expect([text.status, text.body.error.code]).toEqual([415, 'unsupported_media_type'])
  const brotli = await agents.report(credential, changed({}), { 'content-encoding': 'br' })
  expect([brotli.status, brotli.body.error.code]).toEqual([415, 'unsupported_encoding'])
})

test('a body that does not come to its end is given up', async () => {
  const answer = await agents.send({
    path: AGENT_PATHS.reports,
    headers: {
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      'content-length': '1000',
    },
    body: '{"contractVersion":',
    isEnded: false,
  })
  expect(wordsOf(answer)).toEqual([
    408,
    'body_timeout',
    undefined,
    'The body did not arrive within 0.3 s. Send it again.',
  ])
})

test('other methods and paths are refused', async () => {
  const get = await agents.send({ method: 'GET', path: AGENT_PATHS.reports })
  expect([get.status, get.headers.allow, get.body.error.code]).toEqual([405, 'POST', 'method_not_allowed'])
  const other = await agents.send({ path: '/api/agent/v2/reports' })
  expect([other.status, other.body.error.code]).toEqual([404, 'not_found'])
  expect((await agents.send({ path: '/api/v1/hosts' })).text).toBe('not ours')
})

test('a credential, and all of them together, send only so often', async () => {
  const slow = { burst: 2, perSecond: 0.2 }
  const cases = [
    { rates: { ...AGENT_RATES, perCredential: slow }, message: 'Host "cmp-01" sends more often' },
    { rates: { ...AGENT_RATES, all: { ...slow, burst: 3 } }, message: 'All agents together send more' },
  ]
  for (const { rates, message } of cases) {
    const limited = await startAgentConsole({ database, rates })
    const own = await limited.enrolled()
    const answers = []
    for (let n = 0; n < 3; n += 1) answers.push(await limited.heartbeat(own, position, 'A'.repeat(43)))
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 429])
    expect(answers[2]?.headers['retry-after']).toMatch(/^[1-5]$/)
    expect(answers[2]?.body.error).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining(message),
    })
    await limited.stop()
  }
})

test('guessing credentials is slowed down, and who has one is not', async () => {
  const limited = await startAgentConsole({
    database,
    rates: { ...AGENT_RATES, failed: { burst: 3, perSecond: 0.1 } },
  })
  const guesses = []
  for (let n = 0; n < 5; n += 1)
    guesses.push((await limited.heartbeat(`sbac_1_${'A'.repeat(43)}`, position, 'A'.repeat(43))).status)
  expect(guesses).toEqual([401, 401, 401, 429, 429])
  expect((await limited.heartbeat(credential, position, 'A'.repeat(43))).status).toBe(409)
  await limited.stop()
})

test('when bodies fill the memory that they may use, more are refused until later', async () => {
  const small = await startAgentConsole({ database, maxBodyBytes: 500 })
  const answer = await small.report(credential, changed({}))
  expect([answer.status, answer.body.error.code, answer.headers['retry-after']]).toEqual([
    503,
    'overloaded',
    '2',
  ])
  await small.stop()
})

test('a console that stops finishes what it took and refuses what comes', async () => {
  const stopping = await startAgentConsole({ database })
  await stopping.runtime.stop()
  const answer = await stopping.heartbeat(credential, position, 'A'.repeat(43))
  expect([answer.status, answer.body.error.code, answer.headers['retry-after']]).toEqual([
    503,
    'shutting_down',
    '5',
  ])
  await stopping.stop()
})

test('when the database is full, agents learn when to come again and nothing about the database', async () => {
  const full = Object.assign(new Error('could not extend file "base/1": No space left on device'), {
    code: '53100',
  })
  const console = await startAgentConsole({
    database: { ...database, transaction: () => Promise.reject(full) },
  })
  const answer = await console.report(credential, changed({}))
  expect([answer.status, answer.body.error.code, answer.headers['retry-after']]).toEqual([
    503,
    'unavailable',
    '30',
  ])
  expect(answer.text).not.toMatch(/database|disk|room|base/)
  await console.stop()
})

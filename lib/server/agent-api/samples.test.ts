import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AGENT_PATHS, REPORT_HEADERS } from '@/lib/schemas/agent/report'
import { revokeAgent } from '@/lib/services/agent/revoke-agent'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { loadArrivals } from '@/lib/services/utilization/arrival-rows'
import type { Database } from '../database/database'
import { createTestDatabase } from '../testing/test-database'
import { type AgentConsole, startAgentConsole } from './testing/agent-console'

const NOW = new Date('2026-11-21T10:06:00Z')
let database: Database
let agents: AgentConsole
let credential: string

beforeEach(async () => {
  database = await createTestDatabase()
  await addCloud(database, 'lab')
  agents = await startAgentConsole({ database, now: () => NOW })
  credential = await agents.enrolled()
})
afterEach(async () => {
  await agents.stop()
  await database.close()
})

const body = (changed: Record<string, unknown> = {}) => ({
  contractVersion: 1,
  begin: '2026-11-21T10:00:05.000Z',
  at: [0, 60],
  gpus: [
    {
      address: '0000:61:00.0',
      totalMib: 46_068,
      utilisation: [10, 20],
      usedMib: [100, 100],
      vgpus: [{ vgpu: 'mdev', guestUuid: null, totalMib: 4096, utilisation: [null, 5], usedMib: [null, 64] }],
    },
  ],
  ...changed,
})
const send = (json: unknown, headers: Record<string, string> = {}) =>
  agents.send({
    path: AGENT_PATHS.samples,
    headers: {
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      ...headers,
    },
    body: gzipSync(JSON.stringify(json)),
  })
const stored = async () => {
  const { id } = await database.prisma.host.findFirstOrThrow()
  return loadArrivals(database.query, id, new Date(0))
}

test('samples are committed when they are acknowledged', async () => {
  expect(await send(body())).toMatchObject({ status: 200, body: { taken: 2, ignored: 0 } })
  const [first, second] = await stored()
  expect(first?.readings).toHaveLength(1)
  expect(second).toMatchObject({
    at: Date.parse('2026-11-21T10:01:05Z'),
    readings: [{ utilization: 20 }, { vgpu: 'mdev', utilization: 5, usedMib: 64 }],
  })
})

test('a clock that is off is corrected, and what is too old for the history is ignored', async () => {
  const sentAt = new Date(NOW.getTime() + 3_600_000).toISOString()
  const ahead = body({ begin: '2026-11-21T11:00:05.000Z' })
  await send(ahead, { [REPORT_HEADERS.sentAt]: sentAt })
  expect((await stored())[0]?.at).toBe(Date.parse('2026-11-21T10:00:05Z'))
  const old = await send(body({ begin: '2026-11-01T10:00:05.000Z' }))
  expect(old.body).toEqual({ taken: 0, ignored: 2 })
  const future = await send(body({ begin: '2026-11-21T10:05:40.000Z' }))
  expect(future.body).toEqual({ taken: 1, ignored: 1 })
})

test.each([
  ['numbers that are fewer than moments', { at: [0, 60, 120] }, 'gpus'],
  ['a moment that is no time', { begin: 'yesterday' }, 'begin'],
  ['an unknown version', { contractVersion: 9 }, 'contractVersion'],
])('%s are refused by field', async (_what, changed, field) => {
  const answer = await send(body(changed))
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.body.error.field).toBe(field)
  expect(await stored()).toEqual([])
})

test('a revoked credential writes nothing', async () => {
  const { id } = await database.prisma.agentCredential.findFirstOrThrow()
  await revokeAgent(agents.ctx, { credentialId: id })
  expect((await send(body())).status).toBe(401)
  expect(await stored()).toEqual([])
})

import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import { AGENT_PATHS } from '@/lib/schemas/agent/report'
import { revokeAgent } from '@/lib/services/agent/revoke-agent'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import type { Database } from '../database/database'
import { createTestDatabase } from '../testing/test-database'
import { type AgentConsole, reportJson, startAgentConsole } from './testing/agent-console'

let database: Database
/** Two consoles on one database: each keeps what it knows of credentials to itself. */
let consoles: [AgentConsole, AgentConsole]

beforeEach(async () => {
  database = await createTestDatabase()
  await addCloud(database, 'lab')
  consoles = [await startAgentConsole({ database }), await startAgentConsole({ database })]
})
afterEach(async () => {
  for (const one of consoles) await one.stop()
  await database.close()
})

const DIGEST = inventoryDigest(t4SeedHost())

/** One good message of each kind that a credential may send. */
const messages = (to: AgentConsole, credential: string, sequence: number) => {
  const json = (path: string, body: unknown) =>
    to.send({
      path,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const position = { boot: 1, sequence }
  return [
    () => to.report(credential, reportJson({ inventory: t4SeedHost(), position })),
    () => to.heartbeat(credential, position, DIGEST),
    () =>
      to.send({
        path: AGENT_PATHS.samples,
        headers: {
          authorization: `Bearer ${credential}`,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        body: gzipSync(
          JSON.stringify({ contractVersion: 1, begin: new Date().toISOString(), at: [0], gpus: [] }),
        ),
      }),
    () =>
      json(AGENT_PATHS.commandResults, {
        id: '00000000-0000-4000-8000-000000000000',
        outcome: 'done',
        message: 'It is done.',
        output: '',
      }),
  ]
}

const stateOfHost = async () => {
  const { boot, sequence, watchedAt, changedXid } = await database.prisma.host.findFirstOrThrow()
  return { boot, sequence, watchedAt, changedXid }
}

test('a revoked credential is invalid immediately on every console, for every kind of message', async () => {
  const [here, there] = consoles
  const credential = await here.enrolled()
  let sequence = 1
  for (const one of consoles) {
    expect((await messages(one, credential, sequence)[0]?.())?.status).toBe(200)
    sequence += 1
  }
  const before = await stateOfHost()
  const { id } = await database.prisma.agentCredential.findFirstOrThrow()
  await revokeAgent(here.ctx, { credentialId: id })
  // The other console first: it was not notified, and still has the credential in its cache.
  for (const one of [there, here]) {
    for (const send of messages(one, credential, 9)) expect((await send()).status).toBe(401)
  }
  expect(await stateOfHost()).toEqual(before)
})

test('of messages under way when the credential is revoked, none writes after it', async () => {
  const credential = await consoles[0].enrolled()
  const { id } = await database.prisma.agentCredential.findFirstOrThrow()
  const sent = consoles.flatMap((one, n) =>
    Array.from({ length: 6 }, (_, k) => messages(one, credential, 1 + n + 2 * k)[0]?.()),
  )
  await revokeAgent(consoles[0].ctx, { credentialId: id })
  const after = await stateOfHost()
  const statuses = (await Promise.all(sent)).map((answer) => answer?.status)
  expect(new Set([...statuses, 200, 401])).toEqual(new Set([200, 401]))
  expect(await stateOfHost()).toEqual(after)
})

test('a join token for one use admits one host, even through two consoles at once', async () => {
  const token = await consoles[0].joinToken({ maxUses: 1 })
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => consoles[n % 2]?.enroll(token, { hostName: `cmp-${n}` })),
  )
  expect(answers.map((answer) => answer?.status).sort()).toEqual([201, ...Array(7).fill(403)])
  expect(await database.prisma.host.count()).toBe(1)
})

import { beforeEach, expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import { AGENT_PATHS, HEARTBEAT_HEADERS } from '@/lib/schemas/agent/report'
import { reportJson } from './testing/agent-console'
import { createAgentWorld } from './testing/agent-world'

const world = createAgentWorld({ startAt: new Date('2026-03-01T12:00:00Z') })
const { agents, database, now } = world

const digest = inventoryDigest(t4SeedHost())
const at = (boot: number, sequence: number) => ({ boot, sequence })
let credential: string
beforeEach(async () => {
  credential = await agents().enrolled()
})

const report = (sequence: number) =>
  agents().report(
    credential,
    reportJson({ inventory: t4SeedHost(), position: at(1, sequence), takenAt: now() }),
  )

test('a heartbeat of the stored digest reports that the host is alive and changes nothing else', async () => {
  await report(1)
  const before = await database().prisma.host.findFirstOrThrow()
  world.setClock(new Date('2026-03-01T12:00:30Z'))
  const answer = await agents().heartbeat(credential, at(1, 2), digest)
  expect([answer.status, answer.body]).toEqual([
    200,
    { isApplied: true, newest: at(1, 2), intervalSeconds: 30, samplesEverySeconds: 300 },
  ])
  const after = await database().prisma.host.findFirstOrThrow()
  expect(after).toEqual({ ...before, sequence: 2, seenAt: now(), watchedAt: now() })
})

test('a heartbeat of another digest is answered with 409, which requests the full report', async () => {
  await report(1)
  const answer = await agents().heartbeat(credential, at(1, 2), 'A'.repeat(43))
  expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict'])
  expect((await database().prisma.host.findFirstOrThrow()).sequence).toBe(1)
})

test('before the first report a heartbeat is answered with 409', async () => {
  expect((await agents().heartbeat(credential, at(1, 1), digest)).status).toBe(409)
})

test('after a new enrolment the old digest is not taken', async () => {
  await report(1)
  credential = await agents().enrolled()
  expect((await agents().heartbeat(credential, at(1, 1), digest)).status).toBe(409)
})

test('a late heartbeat counts as delivered and changes nothing', async () => {
  await report(5)
  const answer = await agents().heartbeat(credential, at(1, 4), digest)
  expect(answer.body).toMatchObject({ isApplied: false, newest: at(1, 5) })
})

test('a report at the position of a heartbeat is late', async () => {
  await report(1)
  await agents().heartbeat(credential, at(1, 2), digest)
  expect((await report(2)).body.isApplied).toBe(false)
})

const beat = (headers: Record<string, string>, body: string | null = null) =>
  agents().send({
    path: AGENT_PATHS.heartbeats,
    headers: { authorization: `Bearer ${credential}`, ...headers },
    body,
  })

test('a malformed heartbeat is refused by the header that is wrong', async () => {
  const good = { [HEARTBEAT_HEADERS.position]: '1.2', [HEARTBEAT_HEADERS.digest]: digest }
  const cases = [
    [{ ...good, [HEARTBEAT_HEADERS.position]: '1,2' }, 'invalid_position'],
    [{ ...good, [HEARTBEAT_HEADERS.position]: '0.1' }, 'invalid_position'],
    [{ ...good, [HEARTBEAT_HEADERS.position]: '1.99999999999' }, 'invalid_position'],
    [{ ...good, [HEARTBEAT_HEADERS.digest]: 'short' }, 'invalid_digest'],
    [{ [HEARTBEAT_HEADERS.digest]: digest }, 'invalid_position'],
    [{ ...good, [HEARTBEAT_HEADERS.watched]: '12h' }, 'invalid_request'],
  ] as const
  for (const [headers, code] of cases) {
    const answer = await beat(headers)
    expect([headers, answer.status, answer.body.error.code]).toEqual([headers, 400, code])
  }
  const withBody = await beat({ ...good, 'content-length': '2' }, '{}')
  expect([withBody.status, withBody.body.error.code]).toEqual([400, 'invalid_request'])
})

test('a heartbeat that reports for how long the host was watched bridges the time in which none came', async () => {
  await report(1)
  world.setClock(new Date('2026-03-01T12:30:00Z'))
  const watched = { [HEARTBEAT_HEADERS.watched]: '1795000+5000' }
  await beat({ [HEARTBEAT_HEADERS.position]: '1.2', [HEARTBEAT_HEADERS.digest]: digest, ...watched })
  expect(await database().prisma.host.findFirstOrThrow()).toMatchObject({
    watchedSince: new Date('2026-03-01T12:00:00Z'),
    watchedAt: new Date('2026-03-01T12:29:55Z'),
    seenAt: now(),
  })
})

test('a revoked credential sends no heartbeat', async () => {
  await report(1)
  await database().query('UPDATE agent_credential SET revoked_at = now()')
  expect((await agents().heartbeat(credential, at(1, 2), digest)).status).toBe(401)
})

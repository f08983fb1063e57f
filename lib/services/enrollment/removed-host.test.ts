import { expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { reportJson } from '@/lib/server/agent-api/testing/agent-console'
import { createAgentWorld } from '@/lib/server/agent-api/testing/agent-world'
import { createTestContext } from '@/lib/server/testing/test-database'
import { listAgents } from '@/lib/services/agent/list-agents'
import { decideEnrollment } from '@/lib/services/enrollment-request/decide-enrollment'
import { listHosts } from '@/lib/services/host/list-hosts'
import { listRemovedHosts } from '@/lib/services/host/list-removed-hosts'
import { removeHosts } from '@/lib/services/host/remove-hosts'
import { restoreHost } from '@/lib/services/host/restore-host'

const world = createAgentWorld({ startAt: new Date('2026-03-01T12:00:00Z') })
const { agents, database, now, setClock } = world

const HOST = 'cmp-01'
const LAB = { cloud: 'lab' }
const ctx = () => createTestContext({ database: database(), now })

const report = async (credential: string, sequence = 1) => {
  const base = t4SeedHost()
  const inventory = { ...base, host: { ...base.host, name: HOST } }
  const json = reportJson({ inventory, position: { boot: 1, sequence }, takenAt: now() })
  return (await agents().report(credential, json)).status
}

const enroll = (token: string) =>
  agents().enroll(token, { hostName: HOST }, { 'x-sliceboard-requester': 'own-agent-of-the-host-0001' })

/** A host that reported, and was removed a minute later; its agent still has the join token. */
const removedHost = async () => {
  const token = await agents().joinToken({ lifetimeMinutes: 10_080 })
  const { credential } = (await enroll(token)).body
  expect(await report(credential)).toBe(200)
  setClock(new Date('2026-03-01T12:01:00Z'))
  await removeHosts(ctx(), { ...LAB, hosts: [HOST], reason: 'scrapped', force: true })
  setClock(new Date('2026-03-01T12:02:00Z'))
  return { token, credential }
}

const requestId = async () => (await listAgents(ctx(), LAB)).enrollmentRequests[0]?.id ?? 0
const decide = async (decision: 'approve' | 'approve-as-new' | 'decline') =>
  decideEnrollment(ctx(), { id: await requestId(), body: { decision } })
const hosts = async () => (await listHosts(ctx(), LAB)).hosts.map(({ name, gpuCount }) => [name, gpuCount])
const removed = async () => (await listRemovedHosts(ctx(), LAB)).hosts
const rows = (table: 'pgpu_change' | 'guest_change', host: string) =>
  database().query(
    `SELECT c.at FROM ${table} c JOIN host h ON h.id = c.host_id WHERE h.name = $1 ORDER BY c.at`,
    [host],
  )

test('a removed host that enrolls again waits for an admin, with any join token', async () => {
  const { token, credential } = await removedHost()
  expect(await report(credential, 2)).toBe(401)
  const bound = await agents().joinToken({ hostName: HOST })
  for (const each of [token, bound]) {
    const answer = await enroll(each)
    expect([answer.status, answer.body.error.code]).toEqual([429, 'enrollment_pending'])
    expect(answer.body.error.message).toContain('Host "cmp-01" was removed from the console.')
  }
  expect(await hosts()).toEqual([])
  expect((await listAgents(ctx(), LAB)).enrollmentRequests).toMatchObject([
    { host: HOST, reason: 'removed-host' },
    { host: HOST, reason: 'removed-host' },
  ])
})

test('approved with its history it continues as the same host', async () => {
  const { token } = await removedHost()
  await enroll(token)
  await decide('approve')
  expect(await hosts()).toEqual([])
  const { credential } = (await enroll(token)).body
  expect(await hosts()).toEqual([[HOST, 8]])
  expect(await removed()).toEqual([])
  expect(await report(credential)).toBe(200)
  expect(await hosts()).toEqual([[HOST, 8]])
  // Each of 8 GPUs: reported, removed, returned; and nothing new in the report.
  expect(await rows('pgpu_change', HOST)).toHaveLength(24)
  expect(await rows('guest_change', HOST)).toHaveLength(3)
  const audit = await database().prisma.auditEntry.findMany({ orderBy: { id: 'desc' }, take: 2 })
  expect(audit.map(({ action }) => action)).toEqual(['agent.enrol', 'host.restore'])
  expect(audit[1]).toMatchObject({ subject: `host:${HOST}`, after: { approvedBy: 'user:local-admin' } })
})

test('approved as a new host it has no history, and the removed one keeps its own', async () => {
  const { token } = await removedHost()
  await enroll(token)
  await decide('approve-as-new')
  const { credential } = (await enroll(token)).body
  expect(await report(credential)).toBe(200)
  expect(await hosts()).toEqual([[HOST, 8]])
  expect(await rows('pgpu_change', HOST)).toHaveLength(8)
  const [old] = await removed()
  expect(old?.name).toMatch(/^cmp-01 \(removed 2026-03-01, \d+\)$/)
  expect(await rows('pgpu_change', old?.name ?? '')).toHaveLength(16)
  await expect(restoreHost(ctx(), { id: old?.id ?? 0, reason: 'r' })).rejects.toThrow(
    'Another host has enrolled under this name.',
  )
})

test('declined it stays removed, and only a removed host comes back as new', async () => {
  const { token } = await removedHost()
  await enroll(token)
  await decide('decline')
  expect((await enroll(token)).body.error.code).toBe('enrollment_declined')
  expect(await hosts()).toEqual([])
  await restoreHost(ctx(), { id: (await removed())[0]?.id ?? 0, reason: 'by mistake' })
  setClock(new Date('2026-03-01T12:03:00Z'))
  const again = await agents().joinToken()
  const { credential } = (await enroll(again)).body
  expect(await report(credential)).toBe(200)
  await enroll(await agents().joinToken())
  await expect(decide('approve-as-new')).rejects.toMatchObject({ code: 'validation', field: 'decision' })
})

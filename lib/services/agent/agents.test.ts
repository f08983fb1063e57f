import { expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { CONTRACT_REVISION } from '@/lib/schemas/agent/revision'
import { agentSettingsSchema } from '@/lib/schemas/api/agents'
import { reportJson } from '@/lib/server/agent-api/testing/agent-console'
import { createAgentWorld } from '@/lib/server/agent-api/testing/agent-world'
import { createTestContext } from '@/lib/server/testing/test-database'
import { getHost } from '@/lib/services/host/get-host'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { listAgents } from './list-agents'
import { revokeAgent } from './revoke-agent'

const world = createAgentWorld({ startAt: new Date('2026-03-01T12:00:00Z') })
const { agents, database, now } = world

const ctxOf = (roles: ('admin' | 'reader' | 'tenant')[]) =>
  createTestContext({ database: database(), actor: { kind: 'user', name: 'anna', roles }, now })

const reported = async (name: string, changed: { contractRevision?: number } = {}) => {
  const credential = await agents().enrolled(name)
  const base = t4SeedHost()
  const inventory = { ...base, host: { ...base.host, name } }
  await agents().report(
    credential,
    reportJson({ inventory, position: { boot: 1, sequence: 1 }, takenAt: now(), ...changed }),
  )
  return credential
}

test('an agent with a newer contract is marked as newer, and so is its host', async () => {
  await reported('cmp-newer', { contractRevision: CONTRACT_REVISION + 1 })
  await reported('cmp-now')
  const { agents: list } = await listAgents(ctxOf(['reader']), { cloud: 'lab' })
  expect(list.map(({ host, isNewer }) => [host, isNewer])).toEqual([
    ['cmp-newer', true],
    ['cmp-now', false],
  ])
  const scope = { cloud: 'lab', host: 'cmp-newer' }
  expect((await getHost(ctxOf(['reader']), scope)).isAgentNewer).toBe(true)
  expect((await getHost(ctxOf(['reader']), { ...scope, host: 'cmp-now' })).isAgentNewer).toBe(false)
})

const states = async () =>
  (await listAgents(ctxOf(['reader']), { cloud: 'lab' })).agents.map(({ host, state }) => [host, state])

test('each host has one agent, with what it does', async () => {
  await reported('cmp-active')
  await agents().enrolled('cmp-new')
  await reported('cmp-revoked')
  await revokeAgent(ctxOf(['admin']), { credentialId: 3 })
  const list = agentSettingsSchema.parse(await listAgents(ctxOf(['reader']), { cloud: 'lab' }))
  expect(list.agents[0]).toEqual({
    credentialId: 1,
    host: 'cmp-active',
    agentVersion: '0.1.0',
    isNewer: false,
    enrolledAt: now().toISOString(),
    lastUsedAt: now().toISOString(),
    seenAt: now().toISOString(),
    state: 'active',
  })
  expect(await states()).toEqual([
    ['cmp-active', 'active'],
    ['cmp-new', 'never-reported'],
    ['cmp-revoked', 'revoked'],
  ])
  world.setClock(new Date('2026-03-01T12:02:01Z'))
  expect(await states()).toEqual([
    ['cmp-active', 'silent'],
    ['cmp-new', 'never-reported'],
    ['cmp-revoked', 'revoked'],
  ])
})

test('a host that enrolled again shows its new credential and has not reported yet', async () => {
  await reported('cmp-01')
  await agents().enrolled('cmp-01')
  expect((await listAgents(ctxOf(['admin']), { cloud: 'lab' })).agents).toMatchObject([
    { credentialId: 2, state: 'never-reported', seenAt: null },
  ])
})

test('hosts of another cloud do not show', async () => {
  await addCloud(database(), 'other')
  await agents().enrolled('cmp-01')
  expect((await listAgents(ctxOf(['admin']), { cloud: 'other' })).agents).toEqual([])
})

test('revoking ends the credential, keeps what the host reported, and is reported in the audit once', async () => {
  await reported('cmp-01')
  await revokeAgent(ctxOf(['admin']), { credentialId: 1 })
  expect(await database().prisma.pgpu.count()).toBe(8)
  expect(await database().prisma.auditEntry.findFirst({ orderBy: { id: 'desc' } })).toMatchObject({
    actor: 'user:anna',
    action: 'agent.revoke',
    subject: 'host:cmp-01',
    before: { cloud: 'lab', credentialId: 1, enrolment: 1, isRevoked: false },
    after: { isRevoked: true },
  })
  const audits = await database().prisma.auditEntry.count()
  await revokeAgent(ctxOf(['admin']), { credentialId: 1 })
  expect(await database().prisma.auditEntry.count()).toBe(audits)
})

test('who is no admin revokes nothing, and a credential that is not there is named', async () => {
  await reported('cmp-01')
  for (const role of ['reader', 'tenant'] as const)
    await expect(revokeAgent(ctxOf([role]), { credentialId: 1 })).rejects.toMatchObject({ code: 'forbidden' })
  expect(await states()).toEqual([['cmp-01', 'active']])
  await expect(revokeAgent(ctxOf(['admin']), { credentialId: 9 })).rejects.toMatchObject({
    code: 'not_found',
  })
})

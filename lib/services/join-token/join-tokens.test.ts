import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createdJoinTokenSchema } from '@/lib/schemas/api/agents'
import { emptyDatabase } from '@/lib/server/agent-api/testing/empty-database'
import type { Account } from '@/lib/server/context/service-context'
import type { Database } from '@/lib/server/database/database'
import { createTestContext, createTestDatabase } from '@/lib/server/testing/test-database'
import { listAgents } from '@/lib/services/agent/list-agents'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { createJoinToken } from './create-join-token'
import { revokeJoinToken } from './revoke-join-token'

let database: Database
let clock: Date

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(() => database.close())

beforeEach(async () => {
  clock = new Date('2026-03-01T12:00:00Z')
  await emptyDatabase(database)
  await addCloud(database, 'lab')
})

const ctxOf = (roles: ('admin' | 'reader' | 'tenant')[]) =>
  createTestContext({ database, actor: { kind: 'user', name: 'anna', roles }, now: () => clock })
const admin = () => ctxOf(['admin'])

const body = { cloud: 'lab', label: 'rack 4', lifetimeMinutes: 60, maxUses: 2, hostName: null }
const origin = 'http://127.0.0.1:3000'

test('a join token is shown once, with the line to paste, and the audit entry does not contain it', async () => {
  const created = await createJoinToken(admin(), { body: { ...body, hostName: 'CMP-07' }, origin })
  expect(createdJoinTokenSchema.parse(created)).toEqual({
    id: 1,
    label: 'rack 4',
    hostName: 'cmp-07',
    maxUses: 2,
    uses: 0,
    createdBy: 'user:anna',
    createdAt: '2026-03-01T12:00:00.000Z',
    expiresAt: '2026-03-01T13:00:00.000Z',
    state: 'usable',
    token: expect.stringMatching(/^sbjt_[A-Za-z0-9_-]{43}$/),
    installCommand: 'curl -fsSL http://127.0.0.1:3000/install.sh | sudo sh -s -- --hostname cmp-07',
  })
  expect((await createJoinToken(admin(), { body, origin })).installCommand).toBe(
    'curl -fsSL http://127.0.0.1:3000/install.sh | sudo sh',
  )
  const audit = await database.prisma.auditEntry.findFirstOrThrow({ where: { subject: 'join-token:1' } })
  expect(audit).toMatchObject({
    actor: 'user:anna',
    action: 'join-token.create',
    subject: 'join-token:1',
    after: {
      cloud: 'lab',
      label: 'rack 4',
      hostName: 'cmp-07',
      maxUses: 2,
      expiresAt: '2026-03-01T13:00:00.000Z',
    },
  })
  expect(
    JSON.stringify(audit, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
  ).not.toContain(created.token.slice(5))
})

test('who is no admin creates and revokes nothing', async () => {
  await createJoinToken(admin(), { body, origin })
  const audits = await database.prisma.auditEntry.count()
  for (const ctx of [ctxOf(['reader']), ctxOf(['tenant'])]) {
    await expect(createJoinToken(ctx, { body, origin })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(revokeJoinToken(ctx, { id: 1 })).rejects.toMatchObject({ code: 'forbidden' })
  }
  expect(await database.prisma.joinToken.findMany()).toMatchObject([{ revokedAt: null }])
  expect(await database.prisma.auditEntry.count()).toBe(audits)
})

test('a tenant does not see agents and join tokens', async () => {
  await expect(listAgents(ctxOf(['tenant']), { cloud: 'lab' })).rejects.toMatchObject({ code: 'forbidden' })
})

test('what does not fit is refused by field and rule', async () => {
  const cases = [
    [{ lifetimeMinutes: 1 }, 'lifetimeMinutes'],
    [{ maxUses: 0 }, 'maxUses'],
    [{ label: '  ' }, 'label'],
    [{ hostName: 'two words' }, 'hostName'],
  ] as const
  for (const [change, field] of cases)
    await expect(createJoinToken(admin(), { body: { ...body, ...change }, origin })).rejects.toMatchObject({
      code: 'validation',
      field,
    })
  await expect(
    createJoinToken(admin(), { body: { ...body, cloud: 'nowhere' }, origin }),
  ).rejects.toMatchObject({ code: 'not_found' })
})

test('the list shows what became of each token, newest first, and drops those that ended long ago', async () => {
  await createJoinToken(admin(), { body: { ...body, label: 'old', lifetimeMinutes: 5 }, origin })
  clock = new Date('2026-03-08T12:04:00Z')
  await createJoinToken(admin(), { body: { ...body, label: 'usable' }, origin })
  await createJoinToken(admin(), { body: { ...body, label: 'used' }, origin })
  await createJoinToken(admin(), { body: { ...body, label: 'revoked' }, origin })
  await database.query('UPDATE join_token SET uses = max_uses WHERE id = 3')
  await revokeJoinToken(admin(), { id: 4 })
  const states = async () =>
    (await listAgents(ctxOf(['reader']), { cloud: 'lab' })).joinTokens.map(({ label, state }) => [
      label,
      state,
    ])
  expect(await states()).toEqual([
    ['revoked', 'revoked'],
    ['used', 'used-up'],
    ['usable', 'usable'],
    ['old', 'expired'],
  ])
  clock = new Date('2026-03-08T13:04:01Z')
  expect(await states()).toEqual([
    ['revoked', 'revoked'],
    ['used', 'used-up'],
    ['usable', 'expired'],
  ])
})

test('revoking is reported in the audit once, and a token that is not there is named', async () => {
  await createJoinToken(admin(), { body, origin })
  await revokeJoinToken(admin(), { id: 1 })
  const audits = await database.prisma.auditEntry.count()
  await revokeJoinToken(admin(), { id: 1 })
  expect(await database.prisma.auditEntry.count()).toBe(audits)
  expect(await database.prisma.auditEntry.findFirst({ orderBy: { id: 'desc' } })).toMatchObject({
    action: 'join-token.revoke',
    subject: 'join-token:1',
    before: { cloud: 'lab', label: 'rack 4', uses: 0, state: 'usable' },
    after: { state: 'revoked' },
  })
  await expect(revokeJoinToken(admin(), { id: 99 })).rejects.toMatchObject({ code: 'not_found', field: 'id' })
})

test('tokens of another cloud do not show', async () => {
  await addCloud(database, 'other')
  await createJoinToken(admin(), { body: { ...body, cloud: 'other' }, origin })
  expect((await listAgents(admin(), { cloud: 'lab' })).joinTokens).toEqual([])
})

test('an admin of another cloud cannot revoke the token, and reads that it does not exist', async () => {
  await addCloud(database, 'other')
  const { id } = await createJoinToken(admin(), { body, origin })
  const audits = await database.prisma.auditEntry.count()
  const account: Account = {
    cloud: 'other',
    userId: 'u1',
    userName: 'olga',
    userDomain: 'Default',
    scope: { kind: 'system' },
    source: { kind: 'session', sessionId: 1, sessionHash: 'h' },
  }
  const elsewhere = createTestContext({
    database,
    actor: { kind: 'user', name: 'olga', roles: ['admin'], account },
    now: () => clock,
  })
  await expect(revokeJoinToken(elsewhere, { id })).rejects.toMatchObject({ code: 'not_found', field: 'id' })
  expect(await database.prisma.joinToken.findMany()).toMatchObject([{ revokedAt: null }])
  expect(await database.prisma.auditEntry.count()).toBe(audits)
})

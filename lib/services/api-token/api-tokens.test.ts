import { beforeEach, expect, test } from 'vitest'
import { requestContext } from '@/lib/server/context/request-context'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { findCaller, requireActor } from '@/lib/server/session/find-caller'
import { anyRow } from '@/lib/server/testing/any-row'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { listClouds } from '@/lib/services/cloud/list-clouds'
import { chooseScope } from '@/lib/services/session/choose-scope'
import { CLOUD, createSignInWorld, DOWN } from '@/lib/services/session/testing/sign-in-world'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { createJoinToken } from '../join-token/create-join-token'
import { revokeJoinToken } from '../join-token/revoke-join-token'
import { createApiToken, MAX_TOKENS } from './create-api-token'
import { listApiTokens } from './list-api-tokens'
import { revokeApiToken } from './revoke-api-token'

const world = createSignInWorld()
beforeEach(async () => {
  world.wait(86_400)
  await world.audited()
})

const body = { label: 'nightly report', access: 'read', lifetimeDays: 30 }
const origin = 'http://127.0.0.1:3000'

const asAdmin = async (): Promise<ServiceContext> => {
  const signedIn = await world.signIn('admin')
  const { id } = await chooseScope(await world.as(signedIn.id), { body: { kind: 'system' } })
  return world.as(id)
}
const asTenant = async (): Promise<ServiceContext> => world.as((await world.signIn('tenant')).id)

const withToken = async (token: string): Promise<ServiceContext> => {
  const facts = world.facts({ authorization: `Bearer ${token}`, address: '10.7.7.7' })
  return requestContext(world.runtime(), 'test-request', await requireActor(world.runtime(), facts))
}

test('a token is shown once, and a script acts with it as its maker did', async () => {
  const ctx = await asAdmin()
  await world.audited()
  const created = await createApiToken(ctx, { body })
  expect(created).toMatchObject({
    token: expect.stringMatching(/^sbat_[A-Za-z0-9_-]{43}$/),
    label: 'nightly report',
    access: 'read',
    role: 'admin',
    scope: 'system',
    owner: 'admin@Default',
    state: 'usable',
    lastUsedAt: null,
  })
  expect(await world.audited()).toMatchObject([
    { actor: 'user:admin@Default', action: 'api-token.create', after: { access: 'read', role: 'admin' } },
  ])
  const stored = JSON.stringify([
    await world.database().prisma.apiToken.findMany(),
    await world.database().query('SELECT after FROM audit_entry'),
    await listApiTokens(ctx),
  ])
  expect(stored).not.toContain(created.token)
  const script = await withToken(created.token)
  expect(await listClouds(script)).toMatchObject({ clouds: [{ name: CLOUD }] })
  expect((await listApiTokens(ctx)).tokens[0]).toMatchObject({
    lastUsedAt: world.now().toISOString(),
    lastAddress: '10.7.7.7',
  })
})

test('a read token changes nothing, a write token does, and the audit names it', async () => {
  const ctx = await asAdmin()
  const join = { cloud: CLOUD, label: 'rack 4', lifetimeMinutes: 60, maxUses: 1, hostName: null }
  const reading = await withToken((await createApiToken(ctx, { body })).token)
  await expect(createJoinToken(reading, { body: join, origin })).rejects.toMatchObject({
    code: 'forbidden',
    message: 'To create a join token, you need an API token with write access. This token is read-only.',
  })
  expect(await world.database().prisma.joinToken.count()).toBe(0)
  const made = await createApiToken(ctx, { body: { ...body, access: 'write' } })
  await world.audited()
  await createJoinToken(await withToken(made.token), { body: join, origin })
  expect(await world.audited()).toMatchObject([
    { actor: `user:admin@Default/api-token:${made.id}`, action: 'join-token.create' },
  ])
})

test('no token creates or lists tokens, or has more permissions than its creator', async () => {
  const admin = await createApiToken(await asAdmin(), { body: { ...body, access: 'write' } })
  const script = await withToken(admin.token)
  await expect(createApiToken(script, { body })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(listApiTokens(script)).rejects.toMatchObject({ code: 'forbidden' })
  const tenant = await createApiToken(await asTenant(), { body: { ...body, access: 'write' } })
  const asScript = await withToken(tenant.token)
  expect(() => requirePermission(asScript, 'fleet.read')).toThrow(/you need the role/)
})

test('a token that is expired, revoked or made up is refused with its reason', async () => {
  const ctx = await asAdmin()
  const short = await createApiToken(ctx, { body: { ...body, lifetimeDays: 1 } })
  const long = await createApiToken(ctx, { body })
  await revokeApiToken(ctx, { id: long.id })
  expect(await world.audited()).toContainEqual(
    expect.objectContaining({ action: 'api-token.revoke', subject: `api-token:${long.id}` }),
  )
  await revokeApiToken(ctx, { id: long.id })
  expect(await world.audited()).toEqual([])
  await expect(withToken(long.token)).rejects.toMatchObject({
    code: 'unauthorized',
    message: expect.stringContaining('"nightly report" is revoked'),
  })
  await withToken(short.token)
  world.wait(86_400)
  await expect(withToken(short.token)).rejects.toMatchObject({
    code: 'unauthorized',
    message: expect.stringContaining('expired at'),
  })
  await expect(withToken(`sbat_${'A'.repeat(43)}`)).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(withToken('x')).rejects.toMatchObject({ code: 'unauthorized' })
})

test("others' tokens are not there for a tenant, and an admin may see and end them", async () => {
  const tenant = await asTenant()
  const other = await world.as((await world.signIn('otherTenant')).id)
  const token = await createApiToken(tenant, { body: { ...body, label: 'of a tenant' } })
  const labels = async (ctx: ServiceContext) => (await listApiTokens(ctx)).tokens.map(({ label }) => label)
  expect(await labels(other)).toEqual([])
  await expect(revokeApiToken(other, { id: token.id })).rejects.toMatchObject({ code: 'not_found' })
  await withToken(token.token)
  const admin = await asAdmin()
  expect(await labels(admin)).toContain('of a tenant')
  await revokeApiToken(admin, { id: token.id })
  await expect(withToken(token.token)).rejects.toMatchObject({ code: 'unauthorized' })
})

test.each([
  [{ lifetimeDays: 0 }, 'lifetimeDays'],
  [{ lifetimeDays: 366 }, 'lifetimeDays'],
  [{ label: '  ' }, 'label'],
  [{ access: 'all' }, 'access'],
])('%j makes no token', async (wrong, field) => {
  const ctx = await asTenant()
  const before = await world.database().prisma.apiToken.count()
  await expect(createApiToken(ctx, { body: { ...body, ...wrong } })).rejects.toMatchObject({
    code: 'validation',
    field,
  })
  expect(await world.database().prisma.apiToken.count()).toBe(before)
})

test('a request with a cookie and a token has what the token has, and no more', async () => {
  const { id } = await world.signIn('tenant')
  const { token } = await createApiToken(await world.as(id), { body })
  const both = { cookie: `sliceboard-session=${id}`, authorization: `Bearer ${token}` }
  expect(await findCaller(world.runtime(), world.facts(both))).toMatchObject({
    actor: { account: { source: { kind: 'api-token', access: 'read' } } },
  })
  const revoked = { ...both, authorization: `Bearer sbat_${'A'.repeat(43)}` }
  await expect(findCaller(world.runtime(), world.facts(revoked))).rejects.toMatchObject({
    code: 'unauthorized',
  })
})

test('of an access that this version does not know a token has the least', async () => {
  const { id, token } = await createApiToken(await asAdmin(), { body: { ...body, access: 'write' } })
  // A newer version has widened the constraint.
  await world.database().query('ALTER TABLE api_token DROP CONSTRAINT api_token_access_check')
  await world.database().query('UPDATE api_token SET access = $2 WHERE id = $1', [id, 'everything'])
  expect((await withToken(token)).actor).toMatchObject({ account: { source: { access: 'read' } } })
})

test('a token of another cloud is not there for an admin, and stays', async () => {
  const { id } = await createApiToken(await asTenant(), { body: { ...body, label: 'of another cloud' } })
  await world.database().query('UPDATE api_token SET cloud = $2 WHERE id = $1', [id, DOWN])
  const admin = await asAdmin()
  expect((await listApiTokens(admin)).tokens.map(({ label }) => label)).not.toContain('of another cloud')
  await expect(revokeApiToken(admin, { id })).rejects.toMatchObject({ code: 'not_found' })
  expect(await world.database().prisma.apiToken.findFirst({ where: { id } })).toMatchObject({
    revokedAt: null,
  })
})

test('an account sees its own cloud and nothing of another', async () => {
  const ctx = await asAdmin()
  await addCloud(world.database(), 'aachen')
  expect(await listClouds(ctx)).toMatchObject({ clouds: [{ name: CLOUD }] })
  expect(await findCloud(ctx, { cloud: null })).toMatchObject({ name: CLOUD })
  await expect(findCloud(ctx, { cloud: DOWN })).rejects.toMatchObject({ code: 'not_found', field: 'cloud' })
  const [other] = await world.database().query(
    `INSERT INTO join_token (cloud_id, hash, label, max_uses, created_by, expires_at)
     SELECT id, 'x', 'of another cloud', 1, 'user:x', now() FROM cloud WHERE name = $1 RETURNING id`,
    [DOWN],
    anyRow<{ id: number }>(),
  )
  await expect(revokeJoinToken(ctx, { id: other?.id ?? 0 })).rejects.toMatchObject({ code: 'not_found' })
  expect(
    await world.database().prisma.joinToken.findFirst({ where: { label: 'of another cloud' } }),
  ).toMatchObject({
    revokedAt: null,
  })
})

test('a person and a project have so many tokens at most, and those that ended do not count', async () => {
  const create = async (lifetimeDays = 30) =>
    createApiToken(await asTenant(), { body: { ...body, lifetimeDays } })
  await world.database().query('DELETE FROM api_token')
  const ctx = await asTenant()
  const made = []
  for (let one = 0; one < MAX_TOKENS.person; one += 1)
    made.push(await createApiToken(ctx, { body: { ...body, lifetimeDays: one === 0 ? 1 : 30 } }))
  const audits = await world.database().prisma.auditEntry.count({ where: { action: 'api-token.create' } })
  await expect(create()).rejects.toMatchObject({
    code: 'limit',
    message: 'You have 20 API tokens, the maximum for one person. Revoke one that you do not need.',
  })
  expect(await world.database().prisma.auditEntry.count({ where: { action: 'api-token.create' } })).toBe(
    audits,
  )
  // Two at once for one free place.
  await revokeApiToken(ctx, { id: made[3]?.id ?? 0 })
  const both = await Promise.allSettled([create(), create()])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  // One has expired.
  world.wait(2 * 86_400)
  await create()
  await expect(create()).rejects.toMatchObject({ code: 'limit' })
  // Others of the same project share its limit.
  await world.database().query(`
    INSERT INTO api_token (hash, label, cloud, user_id, user_name, user_domain, scope_kind, project_id, project_name,
      project_domain, role, access, created_at, expires_at)
    SELECT 'h' || n, label, cloud, 'other-' || n, user_name, user_domain, scope_kind, project_id, project_name,
      project_domain, role, access, created_at, expires_at
    FROM (SELECT * FROM api_token ORDER BY id DESC LIMIT 1) one, generate_series(1, 40) n`)
  await revokeApiToken(await asTenant(), { id: made[4]?.id ?? 0 })
  await expect(create()).rejects.toMatchObject({
    code: 'limit',
    message:
      'The project cfd-lab has 50 API tokens, the maximum for one project. Revoke one that is not needed, or ask its owner.',
  })
  expect(await createApiToken(await asAdmin(), { body })).toMatchObject({ state: 'usable' })
})

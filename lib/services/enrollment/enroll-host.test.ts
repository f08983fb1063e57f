import { expect, test } from 'vitest'
import { createAgentWorld } from '@/lib/server/agent-api/testing/agent-world'
import { verifyAudit } from '@/lib/server/audit/verify-audit'
import { anyRow } from '@/lib/server/testing/any-row'
import { revokeAgent } from '@/lib/services/agent/revoke-agent'
import { revokeJoinToken } from '@/lib/services/join-token/revoke-join-token'

const world = createAgentWorld({ startAt: new Date('2026-03-01T12:00:00Z') })
const { agents, database, now } = world

/** The first enrolment also creates the key of commands, which is a separate entry. */
const lastAudit = () =>
  database().prisma.auditEntry.findFirst({
    where: { action: { not: 'command-key.create' } },
    orderBy: { id: 'desc' },
  })

test('a host gets a credential of which only the hash is stored, with an audit entry', async () => {
  const answer = await agents().enroll(await agents().joinToken(), { hostName: 'CMP-01.example' })
  expect([answer.status, answer.body]).toEqual([
    201,
    {
      hostName: 'cmp-01.example',
      cloud: 'lab',
      credential: expect.stringMatching(/^sbac_1_[A-Za-z0-9_-]{43}$/),
      intervalSeconds: 30,
      commandKey: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    },
  ])
  const [{ stored } = { stored: '' }] = await database().query(
    `SELECT (SELECT json_agg(c)::text FROM agent_credential c) || (SELECT json_agg(t)::text FROM join_token t)
       || (SELECT json_agg(a)::text FROM audit_entry a) AS stored`,
    [],
    anyRow<{ stored: string }>(),
  )
  const secret = String(answer.body.credential).split('_').slice(2).join('_')
  expect(stored).not.toContain(secret)
  expect(await lastAudit()).toMatchObject({
    actor: 'agent:cmp-01.example',
    action: 'agent.enrol',
    subject: 'host:cmp-01.example',
    before: null,
    after: { cloud: 'lab', enrolment: 1, credentialId: 1, joinTokenId: 1, agentVersion: '0.1.0' },
  })
  expect((await verifyAudit(database().query)).broken).toBeNull()
})

test('enrolling again raises the enrolment, revokes the older credential and keeps the host', async () => {
  await agents().enrolled()
  const host = await database().prisma.host.findFirstOrThrow()
  await agents().enrolled()
  expect(await database().prisma.host.findMany()).toMatchObject([{ id: host.id, enrolment: 2 }])
  const credentials = await database().prisma.agentCredential.findMany({ orderBy: { id: 'asc' } })
  expect(credentials.map(({ enrolment, revokedAt }) => [enrolment, revokedAt])).toEqual([
    [1, now()],
    [2, null],
  ])
  expect(await lastAudit()).toMatchObject({ before: { enrolment: 1, revokedCredentialIds: [1] } })
})

const refusalOf = async (token: string, changed: Record<string, unknown> = {}) => {
  const { status, body } = await agents().enroll(token, changed)
  expect(await database().prisma.host.count()).toBe(0)
  return [status, body.error.code, body.error.message]
}

test('an unknown token is refused', async () => {
  for (const token of ['x', `sbjt_${'A'.repeat(43)}`])
    expect((await refusalOf(token)).slice(0, 2)).toEqual([401, 'unauthorized'])
})

test('an expired token is refused with the time at which it expired', async () => {
  const token = await agents().joinToken({ lifetimeMinutes: 5 })
  world.setClock(new Date('2026-03-01T12:05:00Z'))
  expect(await refusalOf(token)).toEqual([
    403,
    'token_expired',
    'The join token expired at 2026-03-01T12:05:00.000Z. Create a new one under Settings, Agents.',
  ])
})

test('a revoked token is refused', async () => {
  const token = await agents().joinToken()
  await revokeJoinToken(agents().ctx, { id: 1 })
  expect((await refusalOf(token)).slice(0, 2)).toEqual([403, 'token_revoked'])
})

test('a host that an admin revoked comes back by a token that was made afterwards, and by none from before', async () => {
  const old = await agents().joinToken()
  await agents().enroll(old)
  world.setClock(new Date('2026-03-01T12:01:00Z'))
  await revokeAgent(agents().ctx, { credentialId: 1 })
  const refused = await agents().enroll(old)
  expect([refused.status, refused.body.error]).toEqual([
    403,
    {
      code: 'host_revoked',
      message:
        'The credential of host "cmp-01" was revoked at 2026-03-01T12:01:00.000Z, after this join token was made. Create a new one under Settings, Agents.',
      requestId: expect.any(String),
    },
  ])
  expect(await database().prisma.host.findMany()).toMatchObject([{ enrolment: 1 }])
  expect(await database().prisma.joinToken.findFirst({ where: { id: 1 } })).toMatchObject({ uses: 1 })
  // Others may use it still.
  expect((await agents().enroll(old, { hostName: 'cmp-02' })).status).toBe(201)
  world.setClock(new Date('2026-03-01T12:02:00Z'))
  expect((await agents().enroll(await agents().joinToken())).status).toBe(201)
  // A host that is installed again revokes its own older credential.
  world.setClock(new Date('2026-03-01T12:03:00Z'))
  expect((await agents().enroll(old)).status).toBe(201)
})

test('a token for one host name enrols no other', async () => {
  const token = await agents().joinToken({ hostName: 'cmp-07' })
  expect(await refusalOf(token)).toEqual([
    403,
    'token_of_other_host',
    'hostName is "cmp-01", but the join token is for host "cmp-07". Use a token for this host.',
  ])
  expect((await agents().enroll(token, { hostName: 'cmp-07' })).status).toBe(201)
})

test('a used up token is refused', async () => {
  const token = await agents().joinToken({ maxUses: 1 })
  expect((await agents().enroll(token)).status).toBe(201)
  const { status, body } = await agents().enroll(token, { hostName: 'cmp-02' })
  expect([status, body.error.code, body.error.message]).toEqual([
    403,
    'token_used_up',
    'The join token was used 1 of 1 times. Create a new one under Settings, Agents.',
  ])
  expect(await database().prisma.host.count()).toBe(1)
})

test('of many hosts at once a token lets in as many as it may', async () => {
  const token = await agents().joinToken({ maxUses: 3 })
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => agents().enroll(token, { hostName: `cmp-${n}` })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  expect(answers.filter(({ body }) => body.error?.code === 'token_used_up')).toHaveLength(9)
  expect(await database().prisma.host.count()).toBe(3)
  expect((await database().prisma.joinToken.findFirstOrThrow()).uses).toBe(3)
})

test('one host that enrols many times at once has one credential in the end', async () => {
  const token = await agents().joinToken()
  const answers = await Promise.all(Array.from({ length: 6 }, () => agents().enroll(token)))
  expect(answers.every(({ status }) => status === 201)).toBe(true)
  expect(await database().prisma.host.findMany()).toMatchObject([{ enrolment: 6 }])
  expect(await database().prisma.agentCredential.count({ where: { revokedAt: null } })).toBe(1)
})

test('a request that does not fit the contract is refused and uses nothing up', async () => {
  const token = await agents().joinToken({ maxUses: 1 })
  const cases = [
    [{ contractVersion: 9 }, 'unknown_contract_version'],
    [{ hostName: 'no spaces please' }, 'invalid_request'],
    [{ hostName: `${'a'.repeat(300)}` }, 'invalid_request'],
    [{ extra: 1 }, 'invalid_request'],
  ] as const
  for (const [change, code] of cases) {
    const answer = await refusalOf(token, change)
    expect([change, ...answer.slice(0, 2)]).toEqual([change, 400, code])
  }
  expect((await agents().enroll(token)).status).toBe(201)
})

import { expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import { reportJson } from '@/lib/server/agent-api/testing/agent-console'
import { createAgentWorld } from '@/lib/server/agent-api/testing/agent-world'
import { createTestContext } from '@/lib/server/testing/test-database'
import { listAgents } from '@/lib/services/agent/list-agents'
import { revokeAgent } from '@/lib/services/agent/revoke-agent'
import { decideEnrollment } from '@/lib/services/enrollment-request/decide-enrollment'
import { getHost } from '@/lib/services/host/get-host'
import { removeHosts } from '@/lib/services/host/remove-hosts'
import { revokeJoinToken } from '@/lib/services/join-token/revoke-join-token'

const world = createAgentWorld({ startAt: new Date('2026-03-01T12:00:00Z') })
const { agents, database, now, setClock } = world

const HOST = 'cmp-01'
/** What two agents tell themselves apart by. */
const OWN = 'own-agent-of-the-host-0001'
const OTHER = 'another-machine-entirely-02'

const ctxOf = (roles: ('admin' | 'reader')[], cloud?: string) =>
  createTestContext({
    database: database(),
    now,
    actor: {
      kind: 'user',
      name: 'anna',
      roles,
      ...(cloud === undefined
        ? {}
        : {
            account: {
              cloud,
              userId: 'u',
              userName: 'anna',
              userDomain: 'Default',
              scope: { kind: 'system' },
              source: { kind: 'session', sessionId: 1, sessionHash: 'x' },
            },
          }),
    },
  })

const reportAs = (credential: string, sequence = 1) => {
  const base = t4SeedHost()
  const inventory = { ...base, host: { ...base.host, name: HOST } }
  return agents().report(
    credential,
    reportJson({ inventory, position: { boot: 1, sequence }, takenAt: now() }),
  )
}

const aliveHost = async (): Promise<string> => {
  const credential = await agents().enrolled(HOST)
  expect((await reportAs(credential)).status).toBe(200)
  return credential
}

const enrollAs = (token: string, requester: string | null, hostName = HOST) =>
  agents().enroll(token, { hostName }, requester === null ? {} : { 'x-sliceboard-requester': requester })

const requests = async () => (await listAgents(ctxOf(['reader']), { cloud: 'lab' })).enrollmentRequests
/** Whether the page of the host points out the request. */
const isWaitingOnPage = async () =>
  (await getHost(ctxOf(['reader']), { cloud: 'lab', host: HOST })).isEnrollmentWaiting
const decide = (id: number, decision: 'approve' | 'decline') =>
  decideEnrollment(ctxOf(['admin']), { id, body: { decision } })
const auditActions = async () =>
  (
    await database().prisma.auditEntry.findMany({
      where: { action: { startsWith: 'enrollment.' } },
      orderBy: { id: 'asc' },
    })
  ).map(({ actor, action, subject }) => `${actor} ${action} ${subject}`)

test('an unbound join token does not replace the credential of a host that reports', async () => {
  const credential = await aliveHost()
  const before = (await auditActions()).length
  const token = await agents().joinToken()
  const answer = await enrollAs(token, OTHER)
  expect([answer.status, answer.body.error.code, answer.headers['retry-after']]).toEqual([
    429,
    'enrollment_pending',
    '30',
  ])
  expect(answer.body.error.message).toMatch(
    /^Host "cmp-01" already has a credential in use, and this join token is not bound to the host\. The enrollment is waiting for approval: an admin decides on request [0-9a-f]{8} under Settings, Agents\.$/,
  )
  expect((await reportAs(credential, 2)).status).toBe(200)
  expect(await database().prisma.joinToken.findMany({ orderBy: { id: 'asc' } })).toMatchObject([
    { uses: 1 },
    { uses: 0 },
  ])
  // It asks again: one request, counted, and one audit row.
  setClock(new Date('2026-03-01T12:00:30Z'))
  await enrollAs(token, OTHER)
  const [request, ...others] = await requests()
  expect(others).toEqual([])
  expect(request).toMatchObject({
    host: HOST,
    reason: 'live-credential',
    attempts: 2,
    firstAt: '2026-03-01T12:00:00.000Z',
    lastAt: '2026-03-01T12:00:30.000Z',
    hostSeenAt: '2026-03-01T12:00:00.000Z',
    joinTokenLabel: 'test',
    state: 'waiting',
  })
  expect(answer.body.error.message).toContain(`request ${request?.code} `)
  expect(await isWaitingOnPage()).toBe(true)
  await decide(request?.id ?? 0, 'decline')
  expect(await isWaitingOnPage()).toBe(false)
  expect((await auditActions()).slice(before)).toEqual([
    'anonymous enrollment.request host:cmp-01',
    'user:anna enrollment.decline host:cmp-01',
  ])
})

test('silence does not turn a request that waits into a credential', async () => {
  await aliveHost()
  const token = await agents().joinToken({ lifetimeMinutes: 10_080 })
  await enrollAs(token, OTHER)
  setClock(new Date('2026-03-01T18:00:00Z'))
  expect((await enrollAs(token, OTHER)).body.error.code).toBe('enrollment_pending')
  expect((await enrollAs(token, OWN)).body.error.code).toBe('enrollment_pending')
})

test('a join token that is bound to the host replaces the credential at once', async () => {
  const credential = await aliveHost()
  const answer = await enrollAs(await agents().joinToken({ hostName: HOST }), OTHER)
  expect(answer.status).toBe(201)
  expect((await reportAs(credential, 2)).status).toBe(401)
  expect(await requests()).toEqual([])
})

test('an approval is for the requesting agent, works once, and outlives the join token', async () => {
  const credential = await aliveHost()
  const token = await agents().joinToken({ lifetimeMinutes: 5, maxUses: 1 })
  await enrollAs(token, OWN)
  const [request] = await requests()
  await decide(request?.id ?? 0, 'approve')
  expect(await requests()).toMatchObject([{ state: 'approved' }])
  // Another holder of the same token gets nothing in the meantime.
  expect((await enrollAs(token, OTHER)).body.error.code).toBe('enrollment_pending')
  setClock(new Date('2026-03-01T13:00:00Z'))
  const answer = await enrollAs(token, OWN)
  expect(answer.status).toBe(201)
  expect((await reportAs(credential, 2)).status).toBe(401)
  expect((await reportAs(answer.body.credential)).status).toBe(200)
  // Used: the same agent gets no further credential by it.
  expect((await enrollAs(token, OWN)).body.error.code).toBe('token_used_up')
  expect((await auditActions()).slice(-3)).toEqual([
    'anonymous enrollment.request host:cmp-01',
    'user:anna enrollment.approve host:cmp-01',
    'anonymous enrollment.request host:cmp-01',
  ])
})

test('an approval that no agent used within a day is void', async () => {
  await aliveHost()
  const token = await agents().joinToken({ lifetimeMinutes: 10_080 })
  await enrollAs(token, OWN)
  const [request] = await requests()
  await decide(request?.id ?? 0, 'approve')
  setClock(new Date('2026-03-02T12:00:01Z'))
  expect(await requests()).toEqual([])
  expect((await enrollAs(token, OWN)).body.error.code).toBe('enrollment_pending')
  expect(await requests()).toMatchObject([{ state: 'waiting' }])
})

test('a declined join token is refused for that host from each agent, and works for others', async () => {
  await aliveHost()
  const token = await agents().joinToken()
  await enrollAs(token, OTHER)
  const [request] = await requests()
  await decide(request?.id ?? 0, 'decline')
  await decide(request?.id ?? 0, 'decline')
  await expect(decide(request?.id ?? 0, 'approve')).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(
      /^Request [0-9a-f]{8} was already declined by user:anna\. Reload the list\.$/,
    ),
  })
  expect(await requests()).toEqual([])
  for (const requester of [OTHER, OWN, null]) {
    const answer = await enrollAs(token, requester)
    expect([answer.status, answer.body.error.code]).toEqual([403, 'enrollment_declined'])
  }
  expect((await enrollAs(token, OTHER, 'cmp-02')).status).toBe(201)
  expect((await enrollAs(await agents().joinToken({ hostName: HOST }), OWN)).status).toBe(201)
})

test('agents of earlier releases are distinguished by their address', async () => {
  await aliveHost()
  const token = await agents().joinToken()
  const from = (address: string) =>
    agents().enroll(token, { hostName: HOST }, { 'x-client-address': address })
  await from('10.0.0.7')
  const [request] = await requests()
  expect(request).toMatchObject({ address: '10.0.0.7' })
  await decide(request?.id ?? 0, 'approve')
  expect((await from('10.0.0.66')).status).toBe(429)
  expect((await from('10.0.0.7')).status).toBe(201)
})

test('a host that never used its credential enrolls again: the answer may have been lost', async () => {
  await agents().enrolled(HOST)
  expect((await enrollAs(await agents().joinToken(), OWN)).status).toBe(201)
})

test('a join token that is revoked while its request waits enrolls no host, even once approved', async () => {
  await aliveHost()
  const token = await agents().joinToken()
  await enrollAs(token, OWN)
  const [request] = await requests()
  await revokeJoinToken(ctxOf(['admin']), { id: request?.joinTokenId ?? 0 })
  await decide(request?.id ?? 0, 'approve')
  expect((await enrollAs(token, OWN)).body.error.code).toBe('token_revoked')
})

test('a host whose credential an admin revoked in the meantime needs a younger token, approval or not', async () => {
  await aliveHost()
  const token = await agents().joinToken()
  await enrollAs(token, OWN)
  setClock(new Date('2026-03-01T12:01:00Z'))
  await revokeAgent(ctxOf(['admin']), { credentialId: 1 })
  expect((await enrollAs(token, OWN)).body.error.code).toBe('host_revoked')
})

test('one join token fills neither the list nor the database', async () => {
  await aliveHost()
  const token = await agents().joinToken()
  for (let one = 0; one < 30; one += 1)
    expect((await enrollAs(token, `${OTHER}-${one}`)).body.error.code).toBe('enrollment_pending')
  expect(await requests()).toHaveLength(10)
})

test('requests without a decision whose agents gave up do not block a later one', async () => {
  await aliveHost()
  const token = await agents().joinToken()
  for (let one = 0; one < 10; one += 1) await enrollAs(token, `${OTHER}-${one}`)
  setClock(new Date('2026-03-09T12:00:00Z'))
  expect(await requests()).toEqual([])
  await enrollAs(await agents().joinToken(), OWN)
  expect(await requests()).toMatchObject([{ state: 'waiting' }])
  expect(await database().prisma.pendingEnrollment.count()).toBe(1)
})

test('a declined join token is forgotten when it has expired, and not before', async () => {
  await aliveHost()
  const token = await agents().joinToken({ lifetimeMinutes: 10_080 })
  await enrollAs(token, OTHER)
  await decide((await requests())[0]?.id ?? 0, 'decline')
  const count = async (at: string) => {
    setClock(new Date(at))
    await enrollAs(await agents().joinToken(), OWN)
    return database().prisma.pendingEnrollment.count({ where: { decision: 'declined' } })
  }
  expect(await count('2026-03-08T12:00:01Z')).toBe(1)
  expect((await enrollAs(token, OTHER)).body.error.code).toBe('enrollment_declined')
  expect(await count('2026-03-15T12:00:01Z')).toBe(0)
})

test('an approval to replace a credential does not let a host return that was removed afterwards', async () => {
  await aliveHost()
  const token = await agents().joinToken()
  await enrollAs(token, OWN)
  await decide((await requests())[0]?.id ?? 0, 'approve')
  setClock(new Date('2026-03-01T12:05:00Z'))
  await removeHosts(ctxOf(['admin']), { cloud: 'lab', hosts: [HOST], reason: 'stolen', force: true })
  setClock(new Date('2026-03-01T12:06:00Z'))
  expect((await enrollAs(token, OWN)).body.error.code).toBe('enrollment_pending')
  expect(await requests()).toMatchObject([{ state: 'waiting', reason: 'removed-host' }])
  expect(await database().prisma.host.findFirst()).toMatchObject({ removedAt: expect.any(Date) })
})

test('a request that waits names the reason of its last attempt', async () => {
  await aliveHost()
  const token = await agents().joinToken()
  await enrollAs(token, OWN)
  await removeHosts(ctxOf(['admin']), { cloud: 'lab', hosts: [HOST], reason: 'stolen', force: true })
  await enrollAs(token, OWN)
  expect(await requests()).toMatchObject([{ attempts: 2, reason: 'removed-host' }])
})

test('a requester of another form is refused', async () => {
  const answer = await enrollAs(await agents().joinToken(), 'short')
  expect([answer.status, answer.body.error.code, answer.body.error.field]).toEqual([
    400,
    'invalid_request',
    'x-sliceboard-requester',
  ])
})

test('a reader, an admin of another cloud and a made-up id decide nothing', async () => {
  await aliveHost()
  await enrollAs(await agents().joinToken(), OTHER)
  const id = (await requests())[0]?.id ?? 0
  const audits = await auditActions()
  const body = { decision: 'approve' } as const
  await expect(decideEnrollment(ctxOf(['reader']), { id, body })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(decideEnrollment(ctxOf(['admin'], 'paris'), { id, body })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(decideEnrollment(ctxOf(['admin']), { id: 999, body })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await auditActions()).toEqual(audits)
  expect(await requests()).toMatchObject([{ state: 'waiting' }])
})

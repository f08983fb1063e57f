import { beforeEach, expect, test } from 'vitest'
import { hashSecret } from '@/lib/server/secrets/agent-secrets'
import { findCaller } from '@/lib/server/session/find-caller'
import { findSession } from '@/lib/server/session/session-store'
import { chooseScope } from './choose-scope'
import { endSessionById, endSessions } from './end-sessions'
import { listSessions } from './list-sessions'
import { signOut } from './sign-out'
import { createSignInWorld, TOKEN_LIFETIME_SECONDS } from './testing/sign-in-world'

const IDLE_SECONDS = 30 * 60
const LONGEST_SECONDS = 40 * 60
const world = createSignInWorld({ idleMs: IDLE_SECONDS * 1000, longestMs: LONGEST_SECONDS * 1000 })
beforeEach(async () => {
  world.wait(86_400)
  await world.audited()
})

const callerOf = (id: string, given = {}) =>
  findCaller(world.runtime(), world.facts({ cookie: `sliceboard-session=${id}`, ...given }))
const endOf = async (id: string) => {
  const caller = await callerOf(id)
  return caller.state === 'unknown' ? (caller.end?.reason ?? null) : caller.state
}
const rowOf = async (id: string) => {
  const row = await findSession(world.database().query, hashSecret(id))
  if (row === undefined) throw new Error('no such session')
  return row
}
const tokens = () => world.openstack().cloud.keystone.tokens

test('an unused session ends, and a used one lasts until its maximum', async () => {
  const idle = await world.signIn('tenant')
  const used = await world.signIn('tenant')
  world.wait(IDLE_SECONDS - 60)
  expect(await endOf(used.id)).toBe('known')
  world.wait(60)
  expect(await endOf(idle.id)).toBe('idle')
  expect(await endOf(used.id)).toBe('known')
  world.wait(LONGEST_SECONDS - IDLE_SECONDS)
  expect(await endOf(used.id)).toBe('too-old')
})

test('questions that no person caused do not keep a session awake', async () => {
  const { id } = await world.signIn('tenant')
  world.wait(IDLE_SECONDS - 60)
  expect((await callerOf(id, { isBackground: true })).state).toBe('known')
  world.wait(60)
  expect(await endOf(id)).toBe('idle')
})

test("a session ends with Keystone's token", async () => {
  const { id } = await world.signIn('tenant')
  const row = await rowOf(id)
  expect(row.tokenExpiresAt.getTime() - world.now().getTime()).toBe(TOKEN_LIFETIME_SECONDS * 1000)
  await world
    .database()
    .query('UPDATE session SET token_expires_at = $2::timestamptz WHERE id = $1', [row.id, world.now()])
  expect(await endOf(id)).toBe('token-expired')
})

test('a user who is disabled in Keystone is out within minutes', async () => {
  const { id } = await world.signIn('tenant')
  const user = world.openstack().cloud.keystone.users.find(({ name }) => name === 'm.ferrand')
  if (user === undefined) throw new Error('no such user')
  user.isEnabled = false
  expect(await endOf(id)).toBe('known')
  world.wait(5 * 60)
  expect(await endOf(id)).toBe('known')
  await expect.poll(() => endOf(id)).toBe('refused')
  user.isEnabled = true
  // A session of the same user that another test left may be checked in the meantime.
  const row = await rowOf(id)
  const own = (await world.audited()).filter(({ subject }) => subject === `session:${row.id}`)
  expect(own).toMatchObject([
    { action: 'session.create' },
    { actor: 'system', action: 'session.end', after: { reason: 'refused' } },
  ])
  expect(row).toMatchObject({ scopedToken: null, unscopedToken: null })
})

/** Takes the role away, or gives another one, by name; answers with what puts it back. */
const setRole = (userName: string, project: string, role: string | null): (() => void) => {
  const { keystone } = world.openstack().cloud
  const before = keystone.assignments
  const idOf = (list: readonly { id: string; name: string }[], name: string) =>
    list.find((one) => one.name === name)?.id ?? ''
  const [userId, id] = [idOf(keystone.users, userName), idOf(keystone.projects, project)]
  const others = before.filter(
    ({ userId: user, target }) => user !== userId || target.kind !== 'project' || target.id !== id,
  )
  const target = { kind: 'project' as const, id }
  const given = role === null ? [] : [{ userId, roleId: idOf(keystone.roles, role), target }]
  keystone.assignments = [...others, ...given]
  return () => {
    keystone.assignments = before
  }
}

test('who loses a role in Keystone is out within minutes, and who is given more stays as they were', async () => {
  const signedIn = await world.signIn('admin')
  const { keystone } = world.openstack().cloud
  const project = keystone.projects.find(({ name }) => name === 'admin')?.id ?? ''
  const { id } = await chooseScope(await world.as(signedIn.id), { body: { kind: 'project', id: project } })
  const other = await world.signIn('tenant')
  const [putBack, putBackOther] = [
    setRole('admin', 'admin', 'member'),
    setRole('m.ferrand', 'cfd-lab', 'admin'),
  ]
  expect(await endOf(id)).toBe('known')
  world.wait(5 * 60)
  expect([await endOf(id), await endOf(other.id)]).toEqual(['known', 'known'])
  await expect.poll(() => endOf(id)).toBe('refused')
  const [stays, at] = [await callerOf(other.id), world.now()]
  putBackOther()
  putBack()
  expect(stays).toMatchObject({ state: 'known', actor: { roles: ['tenant'] } })
  await expect.poll(async () => (await rowOf(other.id)).checkedAt).toEqual(at)
})

test('a check of Keystone that a newer role overtook ends no session', async () => {
  const signedIn = await world.signIn('admin')
  const { id } = await chooseScope(await world.as(signedIn.id), { body: { kind: 'system' } })
  const [cloud] = world.runtime().signIn.clouds
  if (cloud === undefined) throw new Error('no cloud')
  const { keystone } = cloud
  const { validate } = keystone
  const overtaken = new Promise<{ id: string; result: unknown }>((resolve) => {
    keystone.validate = async (input) => {
      keystone.validate = validate
      const chosen = await chooseScope(await world.as(id), { body: { kind: 'system' } })
      const result = await validate(input)
      setImmediate(() => resolve({ id: chosen.id, result }))
      return result
    }
  })
  world.wait(5 * 60)
  expect(await endOf(id)).toBe('known')
  const chosen = await overtaken
  expect(chosen.result).toBeNull()
  expect(await endOf(chosen.id)).toBe('known')
})

test('signing out ends the session here and its tokens at Keystone, and is audited', async () => {
  const known = new Set(tokens().keys())
  const { id } = await world.signIn('tenant')
  const made = [...tokens().keys()].filter((token) => !known.has(token))
  expect(made).toHaveLength(2)
  await world.audited()
  await signOut(await world.as(id))
  expect(await endOf(id)).toBe('signed-out')
  expect(made.filter((token) => tokens().has(token))).toEqual([])
  expect(await world.audited()).toMatchObject([
    { actor: 'user:m.ferrand@Default', action: 'session.end', after: { reason: 'signed-out' } },
  ])
})

test('a forged or truncated session id is anonymous', async () => {
  const { id } = await world.signIn('tenant')
  for (const cookie of ['', 'x', 'A'.repeat(43), id.slice(1), `${id}x`])
    expect(await endOf(cookie)).toBeNull()
})

test('people see their own sessions that hold, with place and browser, the present one marked', async () => {
  const gone = await world.signIn('tenant')
  world.wait(IDLE_SECONDS)
  const first = await world.signIn('tenant', { address: '10.0.0.1', agent: 'curl/8.5.0' })
  world.wait(61)
  const { id } = await world.signIn('tenant')
  await world.signIn('otherTenant')
  const { sessions } = await listSessions(await world.as(id))
  expect(sessions.map(({ isThisOne, address, agent, role }) => [isThisOne, address, agent, role])).toEqual([
    [true, '10.1.2.3', 'Firefox on Linux', 'tenant'],
    [false, '10.0.0.1', 'curl', 'tenant'],
  ])
  expect(JSON.stringify(sessions)).not.toContain((await rowOf(first.id)).hash)
  expect(await endOf(gone.id)).toBe('idle')
})

test('one of several is ended, and the others stay', async () => {
  const lost = await world.signIn('tenant')
  const remaining = await world.signIn('tenant')
  await endSessionById(await world.as(remaining.id), { id: (await rowOf(lost.id)).id })
  expect([await endOf(lost.id), await endOf(remaining.id)]).toEqual(['ended-elsewhere', 'known'])
})

test("another user's session is not there, and nothing ends", async () => {
  const other = await world.signIn('otherTenant')
  const { id } = await world.signIn('tenant')
  await expect(endSessionById(await world.as(id), { id: (await rowOf(other.id)).id })).rejects.toMatchObject({
    code: 'not_found',
    field: 'id',
  })
  expect(await endOf(other.id)).toBe('known')
})

test('signing out everywhere leaves none, however many there are', async () => {
  const { id } = await world.signIn('tenant')
  const row = await rowOf(id)
  await world.database().query(
    `INSERT INTO session (hash, cloud, user_id, user_name, user_domain, user_domain_id, method, keystone_roles,
       token_expires_at, address, expires_at, checked_at, created_at, last_used_at)
     SELECT 'flood ' || n, cloud, user_id, user_name, user_domain, user_domain_id, method, keystone_roles,
       token_expires_at, address, expires_at, checked_at, created_at, last_used_at
     FROM session CROSS JOIN generate_series(1, 300) n WHERE id = $1`,
    [row.id],
  )
  await endSessions(await world.as(id), { which: 'all' })
  const left = `SELECT 1 FROM session WHERE user_id = $1 AND ended_at IS NULL`
  expect(await world.database().query(left, [row.userId])).toEqual([])
})

test('signing out everywhere ends all of the own ones, or all others', async () => {
  const own = [await world.signIn('tenant'), await world.signIn('tenant'), await world.signIn('tenant')]
  const other = await world.signIn('otherTenant')
  const [a, b, c] = own.map(({ id }) => id) as [string, string, string]
  await endSessions(await world.as(b), { which: 'others' })
  expect([await endOf(a), await endOf(b), await endOf(c)]).toEqual([
    'ended-elsewhere',
    'known',
    'ended-elsewhere',
  ])
  const again = await world.signIn('tenant')
  await endSessions(await world.as(b), { which: 'all' })
  expect([await endOf(again.id), await endOf(b)]).toEqual(['ended-elsewhere', 'signed-out'])
  expect((await callerOf(other.id)).state).toBe('known')
})

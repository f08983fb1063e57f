import { beforeEach, expect, test } from 'vitest'
import { OpenStackError } from '@/lib/openstack/openstack-error'
import { findCaller } from '@/lib/server/session/find-caller'
import { SIGN_IN_ALLOWANCES } from '@/lib/server/session/sign-in-guard'
import { chooseScope } from './choose-scope'
import { getAccount } from './get-account'
import { listScopes } from './list-scopes'
import { signInWithPassword } from './sign-in'
import { CLOUD, createSignInWorld, DOWN, signInBody } from './testing/sign-in-world'

const world = createSignInWorld()
beforeEach(async () => {
  world.wait(86_400)
  await world.audited()
})

const sessionCount = () => world.database().prisma.session.count()

test('with one project a tenant is in at once, as tenant of that project', async () => {
  const { id, isScoped } = await world.signIn('tenant')
  expect(isScoped).toBe(true)
  expect(await getAccount(await world.as(id))).toMatchObject({
    mode: 'keystone',
    user: 'm.ferrand',
    domain: 'Default',
    cloud: CLOUD,
    scope: { kind: 'project', name: 'cfd-lab', domain: 'Default' },
    role: 'tenant',
    keystoneRoles: ['member', 'reader'],
    expiresAt: new Date(world.now().getTime() + 3600_000).toISOString(),
  })
  expect(await world.audited()).toMatchObject([
    {
      actor: 'user:m.ferrand@Default',
      action: 'session.create',
      after: { cloud: CLOUD, method: 'password', address: '10.1.2.3', role: 'tenant' },
    },
  ])
})

test('an admin selects the system or a project, and has no role until then', async () => {
  const { id, isScoped } = await world.signIn('admin')
  expect(isScoped).toBe(false)
  const caller = await findCaller(world.runtime(), world.facts({ cookie: `sliceboard-session=${id}` }))
  expect(caller).toMatchObject({ state: 'choosing', actor: { roles: [], account: { scope: null } } })
  const list = await listScopes(await world.as(id))
  expect(list).toMatchObject({ user: 'admin', present: null })
  expect(list.scopes).toMatchObject([
    { kind: 'system', role: 'admin' },
    { name: 'admin', role: 'admin' },
    { name: 'service', role: 'admin' },
  ])
  await world.audited()
  const chosen = await chooseScope(await world.as(id), { body: { kind: 'system' } })
  expect(chosen.account).toMatchObject({ role: 'admin', scope: { kind: 'system' } })
  expect((await world.as(chosen.id)).actor).toMatchObject({ name: 'admin@Default', roles: ['admin'] })
  expect(await world.audited()).toMatchObject([
    {
      actor: 'user:admin@Default',
      action: 'session.choose-scope',
      before: { scope: null, role: null },
      after: { scope: { kind: 'system' }, role: 'admin' },
    },
  ])
})

test('the same person is reader on the system and tenant in a project', async () => {
  const { id } = await world.signIn('reader')
  const onSystem = await chooseScope(await world.as(id), { body: { kind: 'system' } })
  expect(onSystem.account).toMatchObject({ role: 'reader' })
  const { scopes } = await listScopes(await world.as(onSystem.id))
  expect(scopes).toMatchObject([{ kind: 'system', role: 'reader' }, {}, { name: 'cfd-lab', role: 'tenant' }])
  const project = scopes.find((scope) => scope.kind === 'project' && scope.name === 'cfd-lab')
  const body = { kind: 'project', id: project?.kind === 'project' ? project.id : '' }
  const inProject = await chooseScope(await world.as(onSystem.id), { body })
  expect(inProject.account).toMatchObject({
    role: 'tenant',
    scope: { kind: 'project', name: 'cfd-lab' },
  })
  expect((await world.as(inProject.id)).actor).toMatchObject({ roles: ['tenant'] })
})

test('scopes without their roles can still be chosen where Keystone refuses to list roles', async () => {
  const { id } = await world.signIn('admin')
  const [cloud] = world.runtime().signIn.clouds
  if (cloud === undefined) throw new Error('there is a cloud')
  const { listUserRoles } = cloud
  const refusal = new OpenStackError('refused', {
    kind: 'http',
    status: 403,
    service: 'keystone',
    cloud: CLOUD,
  })
  cloud.listUserRoles = () => Promise.reject(refusal)
  try {
    const { scopes } = await listScopes(await world.as(id))
    expect(scopes.map(({ role }) => role)).toEqual([null, null, null])
  } finally {
    if (listUserRoles !== undefined) cloud.listUserRoles = listUserRoles
  }
})

test('a request that came with the cookie of before takes nothing up and reads nothing once another one did', async () => {
  const { id } = await world.signIn('admin')
  const late = await world.as(id)
  const chosen = await chooseScope(await world.as(id), { body: { kind: 'system' } })
  const refusal = {
    code: 'unauthorized',
    message: 'This session ended at the same moment: sign in again.',
  }
  await expect(chooseScope(late, { body: { kind: 'system' } })).rejects.toMatchObject(refusal)
  await expect(listScopes(late)).rejects.toMatchObject(refusal)
  await expect(getAccount(late)).rejects.toMatchObject({ code: 'unauthorized' })
  expect((await world.as(chosen.id)).actor).toMatchObject({ roles: ['admin'] })
})

test('of two choices at once the one that comes too late gives its token back to Keystone', async () => {
  const { id } = await world.signIn('admin')
  const tokens = world.openstack().cloud.keystone.tokens
  const known = new Set(tokens.keys())
  const both = [await world.as(id), await world.as(id)].map((ctx) =>
    chooseScope(ctx, { body: { kind: 'system' } }),
  )
  const ends = await Promise.allSettled(both)
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect([...tokens.keys()].filter((token) => !known.has(token))).toHaveLength(1)
})

test("another user's project is refused and changes nothing", async () => {
  const { id } = await world.signIn('tenant')
  const refusal = chooseScope(await world.as(id), { body: { kind: 'system' } })
  await expect(refusal).rejects.toMatchObject({
    code: 'forbidden',
    message: 'You no longer have a role on the system. Select another scope.',
  })
  expect((await world.as(id)).actor).toMatchObject({
    roles: ['tenant'],
    account: { scope: { name: 'cfd-lab' } },
  })
})

test('neither the password, nor a token, nor the cookie is stored as it is', async () => {
  const { id } = await world.signIn('tenant')
  const stored = JSON.stringify(
    [
      await world.database().prisma.session.findMany(),
      await world.database().query('SELECT * FROM audit_entry'),
      await world.database().query('SELECT * FROM sign_in_allowance'),
    ],
    (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value),
  )
  expect(stored).not.toContain(id)
  expect(stored).not.toContain('demo-ferrand')
  for (const tokenId of world.openstack().cloud.keystone.tokens.keys()) expect(stored).not.toContain(tokenId)
})

test('a wrong password is refused, audited without the password, and creates no session', async () => {
  const before = await sessionCount()
  const body = signInBody('tenant', { password: 'hunter2' })
  await expect(signInWithPassword(world.anonymous(), { body, facts: world.facts() })).rejects.toMatchObject({
    code: 'unauthorized',
    field: 'password',
    message: 'The name, password or domain is not correct. Check all three and try again.',
  })
  expect(await sessionCount()).toBe(before)
  const entries = await world.audited()
  expect(entries).toMatchObject([
    {
      actor: 'anonymous',
      action: 'session.refuse',
      subject: 'cloud:paris',
      after: { name: 'm.ferrand', domain: 'Default', address: '10.1.2.3' },
    },
  ])
  expect(JSON.stringify(entries)).not.toContain('hunter2')
})

test('an account with a second factor has to enter its code, and a wrong code counts as an attempt', async () => {
  const user = world.openstack().cloud.keystone.users.find(({ name }) => name === 'm.ferrand')
  if (user === undefined) throw new Error('the tenant has no account')
  user.factorRules = [['password', 'totp']]
  user.passcode = '287082'
  const attempt = (given: Record<string, string>) =>
    signInWithPassword(world.anonymous(), { body: signInBody('tenant', given), facts: world.facts() })
  try {
    // More often than wrong passwords are allowed: the password is right.
    for (let count = 0; count <= SIGN_IN_ALLOWANCES.pair.burst; count++)
      await expect(attempt({ passcode: '' })).rejects.toMatchObject({
        code: 'unauthorized',
        field: 'passcode',
        message:
          'Keystone of paris requires a one-time code for this account. Enter the current code of your authenticator app.',
      })
    expect(await world.audited()).toEqual([])
    await expect(attempt({ passcode: '111111' })).rejects.toMatchObject({
      field: 'passcode',
      message: expect.stringContaining('one-time code is not correct'),
    })
    const entries = await world.audited()
    expect(entries).toMatchObject([{ action: 'session.refuse' }])
    expect(JSON.stringify(entries)).not.toContain('111111')
    const { id } = await attempt({ passcode: '287 082' })
    expect(await getAccount(await world.as(id))).toMatchObject({ user: 'm.ferrand', role: 'tenant' })
    user.factorRules = [['password', 'totp', 'mapped']]
    await expect(attempt({})).rejects.toMatchObject({
      message: expect.stringContaining('also wants totp, mapped for this account'),
    })
  } finally {
    delete user.factorRules
    delete user.passcode
  }
})

test('an account without any role gets an error and no session', async () => {
  const { keystone } = world.openstack().cloud
  const { assignments } = keystone
  keystone.assignments = []
  const before = await sessionCount()
  await expect(world.signIn('tenant')).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('has no role on any project of paris'),
  })
  keystone.assignments = assignments
  expect(await sessionCount()).toBe(before)
})

test('Keystone that does not answer is no wrong password and costs no attempt', async () => {
  const body = signInBody('tenant', { cloud: DOWN })
  for (let one = 0; one <= SIGN_IN_ALLOWANCES.pair.burst; one += 1) {
    await expect(signInWithPassword(world.anonymous(), { body, facts: world.facts() })).rejects.toMatchObject(
      { code: 'upstream', message: expect.stringMatching(/Keystone.*rome/) },
    )
  }
  expect(await world.audited()).toEqual([])
})

test('a cloud that is not configured is named', async () => {
  await expect(
    signInWithPassword(world.anonymous(), {
      body: signInBody('tenant', { cloud: 'x' }),
      facts: world.facts(),
    }),
  ).rejects.toMatchObject({ code: 'not_found', field: 'cloud' })
})

test('names that Keystone takes for the same one count together', async () => {
  const guess = (name: string) =>
    signInWithPassword(world.anonymous(), {
      body: signInBody('tenant', { name, password: 'wrong' }),
      facts: world.facts({ address: '10.0.0.5' }),
    })
  const names = ['zoë', 'ZOE', 'zoe  ', 'ｚoé']
  for (let one = 0; one < SIGN_IN_ALLOWANCES.pair.burst; one += 1)
    await expect(guess(names[one % names.length] ?? '')).rejects.toMatchObject({ code: 'unauthorized' })
  for (const name of names) await expect(guess(name)).rejects.toMatchObject({ code: 'limit' })
  await expect(guess('zo')).rejects.toMatchObject({ code: 'unauthorized' })
})

test('guessing many names from one address is slowed down, too', async () => {
  const guess = (name: string) =>
    signInWithPassword(world.anonymous(), {
      body: signInBody('tenant', { name }),
      facts: world.facts({ address: '10.9.9.9' }),
    })
  for (let one = 0; one < SIGN_IN_ALLOWANCES.address.burst; one += 1)
    await expect(guess(`guess-${one}`)).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(guess('guess')).rejects.toMatchObject({
    code: 'limit',
    message: expect.stringContaining('from your address'),
  })
})

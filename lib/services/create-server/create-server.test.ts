import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  createdServerSchema,
  newServerStatusSchema,
  serverChoicesSchema,
} from '@/lib/schemas/api/create-server'
import type { CreateServer } from '@/lib/schemas/api/create-server-inputs'
import { LOCAL_ADMIN, type ServiceContext } from '@/lib/server/context/service-context'
import { READER } from '@/lib/services/testing/service-world'
import { projectIdOf } from '@/simulator/openstack/demo-cloud/accounts'
import { IMAGE_ID } from '@/simulator/openstack/demo-cloud/images'
import { createServer } from './create-server'
import { getNewServer } from './get-new-server'
import { getServerChoices } from './get-server-choices'
import { createTenantWorld } from './testing/tenant-world'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const world = createTenantWorld()
let close: (() => Promise<void>) | null = null
beforeEach(async () => {
  close = await world.openCloud()
  await world.readCatalog()
})
afterEach(async () => {
  world.openstack().controls.repairApi()
  await close?.()
})

const FLAVOR = 'vgpu.a40-4q'
const OWN = projectIdOf('cfd-lab')

const simulated = () => world.openstack().cloud
const networkId = (name: string) => simulated().neutron.networks.find((one) => one.name === name)?.id ?? ''
const groupId = (name: string, project = 'cfd-lab') =>
  simulated().neutron.securityGroups.find(
    (one) => one.name === name && one.projectId === projectIdOf(project),
  )?.id ?? ''

const choices = async (ctx: ServiceContext) =>
  serverChoicesSchema.parse(await getServerChoices(ctx, { flavor: world.idOf(FLAVOR) }))

const bodyOf = (given: Partial<CreateServer> = {}): CreateServer => ({
  requestKey: randomBytes(16).toString('hex'),
  name: 'train-07',
  flavor: world.idOf(FLAVOR),
  image: IMAGE_ID,
  network: networkId('cfd-lab-net'),
  keyPair: 'm.ferrand-laptop',
  securityGroups: [groupId('ssh-only')],
  ...given,
})

const create = async (ctx: ServiceContext, given: Partial<CreateServer> = {}) =>
  createdServerSchema.parse(await createServer(ctx, { body: bodyOf(given) }))

const failure = (work: Promise<unknown>) =>
  work.then(
    () => {
      throw new Error('the request was accepted, but a refusal was expected')
    },
    (error: { code: string; message: string }) => ({ code: error.code, message: error.message }),
  )

const ownServers = () =>
  [...simulated().nova.servers.values()].filter(({ projectId, isByApi }) => projectId === OWN && isByApi)

const audited = async () => {
  const rows = await world.ctx().database.prisma.auditEntry.findMany({
    where: { action: { startsWith: 'server.' }, cloud: world.opened().cloud.name },
    orderBy: { id: 'asc' },
  })
  return rows.map(({ actor, action, subject, after }) => ({ actor, action, subject, after }))
}

it('lists what the person and the project may use, and why some of it does not fit', async () => {
  const { images, networks, keyPairs, securityGroups, quota } = await choices(await world.as('tenant'))
  expect(images.problem).toBeNull()
  expect(images.items?.map(({ name, isOwn, problem }) => [name, isOwn, problem])).toEqual([
    ['cfd-solver-2026.10', true, null],
    ['jupyter-torch', false, null],
    ['windows-11-vdi', false, 'needs a disk of 64 GiB'],
    ['rocky-9.4-nvidia-550', false, null],
    ['ubuntu-24.04-nvidia-550', false, null],
    ['ubuntu-24.04', false, null],
  ])
  expect(networks.items?.map(({ name, problem }) => [name, problem])).toEqual([
    ['cfd-lab-net', null],
    ['cfd-storage', 'has no subnet'],
    ['campus-shared', null],
  ])
  expect(keyPairs).toEqual({ items: ['m.ferrand-laptop'], problem: null })
  expect(securityGroups.items?.map(({ name }) => name)).toEqual(['default', 'ssh-only'])
  expect(quota.items?.map(({ resourceName }) => resourceName)).toEqual([
    'class:VGPU',
    'class:VCPU',
    'class:MEMORY_MB',
    'class:DISK_GB',
    'servers',
  ])
  expect(quota.items?.find(({ resourceName }) => resourceName === 'class:VGPU')).toMatchObject({
    needs: 1,
    limit: expect.any(Number),
    used: expect.any(Number),
  })
})

it('lists for another project what is its own', async () => {
  const { images, networks, keyPairs } = await choices(await world.as('otherTenant'))
  expect(images.items?.map(({ name }) => name)).not.toContain('cfd-solver-2026.10')
  expect(networks.items?.map(({ name }) => name)).toEqual(['campus-cad-net', 'campus-shared'])
  expect(keyPairs.items).toEqual(['p.novak-laptop'])
})

it('lists for an admin those of the own project, and not of all', async () => {
  const { networks, securityGroups } = await choices(await world.as('admin'))
  expect(networks.items?.map(({ name }) => name)).toEqual(['campus-shared', 'public'])
  expect(securityGroups.items).toEqual([])
})

it('states in one sentence which service is missing, and lists the rest', async () => {
  const { controls, cloud } = world.openstack()
  const { services } = cloud.keystone
  cloud.keystone.services = services.filter(({ type }) => type !== 'image')
  // The console reads the catalog when it starts.
  await close?.()
  close = await world.openCloud()
  await world.readCatalog()
  controls.breakApi({ service: 'neutron', kind: '500' })
  try {
    const ctx = await world.as('tenant')
    const { images, networks, securityGroups, keyPairs } = await choices(ctx)
    expect(images).toEqual({
      items: null,
      problem: 'The images cannot be listed: the service catalog has no Glance for this console.',
    })
    expect(networks).toEqual({
      items: null,
      problem: 'The networks cannot be listed: Neutron does not respond.',
    })
    expect(securityGroups.items).toBeNull()
    expect(keyPairs.items).toEqual(['m.ferrand-laptop'])
  } finally {
    cloud.keystone.services = services
  }
})

it('refuses choices for a flavor of another project, and without a project', async () => {
  const flavor = simulated().nova.flavors.find(({ name }) => name === FLAVOR)
  if (flavor === undefined) throw new Error('the cloud has no such flavor')
  Object.assign(flavor, { isPublic: false, projectIds: [projectIdOf('bio-ml')] })
  world.setClock(new Date(world.ctx().now().getTime() + 900_000))
  await world.readCatalog()
  const ctx = await world.as('tenant')
  expect(await failure(choices(ctx))).toMatchObject({ code: 'not_found' })
  expect(await failure(create(ctx))).toMatchObject({ code: 'not_found' })
  expect(ownServers()).toEqual([])
  expect(await failure(choices(world.ctx(LOCAL_ADMIN)))).toMatchObject({ code: 'precondition' })
  expect(await failure(choices(world.ctx({ kind: 'anonymous' })))).toMatchObject({ code: 'forbidden' })
})

it('creates a server as the person, with what was chosen, and records it', async () => {
  const ctx = await world.as('tenant')
  const { uuid, name } = await create(ctx)
  expect(name).toBe('train-07')
  const token = world.tokenOf(ctx)
  expect(simulated().nova.servers.get(uuid)).toMatchObject({
    name: 'train-07',
    projectId: OWN,
    userId: token.userId,
    status: 'BUILD',
    keyName: 'm.ferrand-laptop',
    networkIds: [networkId('cfd-lab-net')],
    securityGroups: [groupId('ssh-only')],
  })
  const { actor } = ctx
  if (actor.kind !== 'user') throw new Error('no person asks')
  expect(await audited()).toEqual([
    {
      actor: `user:${actor.name}`,
      action: 'server.request',
      subject: 'server:train-07',
      after: {
        project: OWN,
        flavor: FLAVOR,
        image: IMAGE_ID,
        network: networkId('cfd-lab-net'),
        keyPair: 'm.ferrand-laptop',
        securityGroups: [groupId('ssh-only')],
      },
    },
    {
      actor: `user:${actor.name}`,
      action: 'server.create',
      subject: 'server:train-07',
      after: { project: OWN, uuid, message: null },
    },
  ])
})

it('shows the owner how a server comes up or fails, and another project nothing', async () => {
  const ctx = await world.as('tenant')
  const { uuid } = await create(ctx)
  const status = async () => newServerStatusSchema.parse(await getNewServer(ctx, { uuid }))
  expect(await status()).toEqual({ uuid, name: 'train-07', status: 'BUILD', fault: null })
  const server = simulated().nova.servers.get(uuid)
  if (server === undefined) throw new Error('the server is gone')
  const message = 'No valid host was found. There are not enough hosts available.'
  Object.assign(server, { status: 'ERROR', fault: { code: 500, message } })
  expect(await status()).toEqual({ uuid, name: 'train-07', status: 'ERROR', fault: message })
  for (const who of ['otherTenant', 'admin'] as const)
    expect(await failure(getNewServer(await world.as(who), { uuid }))).toMatchObject({ code: 'not_found' })
  expect(await failure(getNewServer(world.ctx({ kind: 'anonymous' }), { uuid }))).toMatchObject({
    code: 'forbidden',
  })
  world.openstack().controls.breakApi({ service: 'nova', kind: '500' })
  expect(await failure(status())).toEqual({
    code: 'unavailable',
    message: 'The status cannot be read: Nova does not respond.',
  })
})

it('creates a server without a network, a key pair and groups', async () => {
  const { uuid } = await create(await world.as('tenant'), {
    network: null,
    keyPair: null,
    securityGroups: [],
  })
  expect(simulated().nova.servers.get(uuid)).toMatchObject({
    keyName: null,
    networkIds: [],
    securityGroups: [],
  })
})

it('creates one server for a double click, and answers both', async () => {
  const ctx = await world.as('tenant')
  const body = bodyOf()
  const answers = await Promise.allSettled([1, 2, 3].map(() => createServer(ctx, { body })))
  expect(ownServers()).toHaveLength(1)
  const uuid = ownServers()[0]?.uuid
  for (const answer of answers)
    if (answer.status === 'fulfilled') expect(answer.value.uuid).toBe(uuid)
    else
      expect(answer.reason).toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('is being created'),
      })
  expect(await createServer(ctx, { body })).toEqual({ uuid, name: 'train-07' })
  expect(ownServers()).toHaveLength(1)
  expect((await audited()).map(({ action }) => action)).toEqual(['server.request', 'server.create'])
})

it('never uses the account of the console: a token that has ended creates nothing', async () => {
  const ctx = await world.as('tenant')
  simulated().keystone.tokens.delete(world.tokenOf(ctx).id)
  for (const work of [choices(ctx), create(ctx)])
    expect(await failure(work)).toEqual({
      code: 'unauthorized',
      message: 'Your sign-in to the cloud has ended: sign in again.',
    })
  expect(ownServers()).toEqual([])
  expect(await audited()).toEqual([])
})

it('refuses readers, API tokens, another session’s cookie and a project that was left', async () => {
  const reader = await world.as('tenant', (actor) => ({ ...actor, roles: ['reader'] }))
  expect(await failure(create(reader))).toMatchObject({ code: 'forbidden' })
  expect(await failure(create(world.ctx(READER)))).toMatchObject({ code: 'forbidden' })
  const script = await world.as('tenant', (actor) => ({
    ...actor,
    ...(actor.account === undefined
      ? {}
      : { account: { ...actor.account, source: { kind: 'api-token', apiTokenId: 1, access: 'write' } } }),
  }))
  for (const work of [choices(script), create(script)])
    expect(await failure(work)).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('API tokens cannot'),
    })
  const ctx = await world.as('tenant')
  const { prisma } = ctx.database
  const where = { hash: { startsWith: 'hash-' }, cloud: world.opened().cloud.name, projectId: OWN }
  await prisma.session.updateMany({ where, data: { projectId: projectIdOf('bio-ml') } })
  expect(await failure(create(ctx))).toMatchObject({ code: 'unauthorized' })
  const other = await world.as('tenant')
  if (other.actor.kind !== 'user' || other.actor.account?.source.kind !== 'session')
    throw new Error('the person has no session')
  const stolen = { ...other.actor.account, source: { ...other.actor.account.source, sessionHash: 'older' } }
  expect(await failure(create({ ...other, actor: { ...other.actor, account: stolen } }))).toMatchObject({
    code: 'unauthorized',
  })
  expect(ownServers()).toEqual([])
})

it.each([
  ['a quota that is used up', 'precondition', /quota of your project does not allow .*vGPUs/],
  ['a Keystone role that may not create', 'forbidden', /Nova does not allow you/],
  ['an image of another project', 'validation', /Nova reports: “Can not find requested image”/],
  ['a network without a subnet', 'validation', /requires a subnet/],
  ['a key pair of another person', 'validation', /Invalid key_name provided/],
] as const)('explains %s, and records it', async (what, code, message) => {
  const ctx = await world.as('tenant')
  const { keystone, glance } = simulated()
  const given: Partial<CreateServer> = {}
  const restore: (() => void)[] = []
  if (what.startsWith('a quota')) {
    const { limits } = keystone
    keystone.limits = limits.map((row) =>
      row.projectId === OWN && row.resourceName === 'class:VGPU' ? { ...row, resourceLimit: 0 } : row,
    )
    restore.push(() => Object.assign(keystone, { limits }))
  }
  if (what.startsWith('a Keystone role')) {
    const { assignments } = keystone
    const readerId = keystone.roles.find(({ name }) => name === 'reader')?.id ?? ''
    const { userId } = world.tokenOf(ctx)
    keystone.assignments = assignments.map((one) =>
      one.userId === userId ? { ...one, roleId: readerId } : one,
    )
    restore.push(() => Object.assign(keystone, { assignments }))
  }
  if (what.startsWith('an image')) {
    const [foreign] = glance.images
    if (foreign === undefined) throw new Error('the cloud has no image')
    const secret = { ...foreign, id: 'aaaaaaaa-1111-4111-8111-111111111111', visibility: 'private' as const }
    glance.images.push(secret)
    given.image = secret.id
    restore.push(() => glance.images.pop())
  }
  if (what.startsWith('a network')) given.network = networkId('cfd-storage')
  if (what.startsWith('a key pair')) given.keyPair = 'p.novak-laptop'
  const body = bodyOf(given)
  const first = await failure(createServer(ctx, { body }))
  expect(first).toEqual({ code, message: expect.stringMatching(message) })
  for (const undo of restore) undo()
  // The same confirmation is not sent again, even if the cause is gone.
  expect(await failure(createServer(ctx, { body }))).toEqual(first)
  expect(ownServers()).toEqual([])
  expect((await audited()).map(({ action }) => action)).toEqual(['server.request', 'server.refuse'])
})

it('states that a server may exist where Nova gives no answer, and does not send it again', async () => {
  const ctx = await world.as('tenant')
  const { controls } = world.openstack()
  const body = bodyOf()
  const { transport } = ctx.accounts[0] ?? {}
  if (transport === undefined) throw new Error('the cloud has no account')
  const { request } = transport
  transport.request = async (sent) => {
    const answer = await request(sent)
    if (sent.method !== 'POST' || !sent.url.endsWith('/servers')) return answer
    controls.breakApi({ service: 'nova', kind: 'down' })
    return request({ ...sent, method: 'POST' })
  }
  const lost = await failure(createServer(ctx, { body }))
  transport.request = request
  controls.repairApi({ service: 'nova' })
  expect(lost).toEqual({
    code: 'conflict',
    message:
      'Nova did not confirm the server train-07, so it may exist. Open Servers to check before you try again.',
  })
  expect(ownServers()).toHaveLength(1)
  expect(await failure(createServer(ctx, { body }))).toEqual(lost)
  expect(ownServers()).toHaveLength(1)
  expect((await audited()).map(({ action }) => action)).toEqual(['server.request', 'server.lose'])
})

it('records and sends nothing while Nova does not respond', async () => {
  const ctx = await world.as('tenant')
  world.openstack().controls.breakApi({ service: 'nova', kind: '503' })
  expect(await failure(create(ctx))).toEqual({
    code: 'unavailable',
    message: 'The server was not created: Nova does not respond.',
  })
  expect(await audited()).toEqual([])
})

it('limits the requests of a person, since each one reaches OpenStack', async () => {
  const ctx = await world.as('tenant')
  const codes: string[] = []
  for (let count = 0; count < 25; count += 1)
    codes.push(
      await choices(ctx).then(
        () => 'ok',
        (error: { code: string }) => error.code,
      ),
    )
  expect(codes.slice(0, 20)).toEqual(Array(20).fill('ok'))
  expect(codes).toContain('limit')
  expect((await choices(await world.as('otherTenant'))).images.problem).toBeNull()
})

it.each([
  ['requestKey', { requestKey: 'short' }],
  ['name', { name: ' ' }],
  ['image', { image: '../servers' }],
  ['network', { network: 'none' }],
  ['securityGroups[0]', { securityGroups: ['default'] }],
])('refuses an invalid %s', async (field, given) => {
  await expect(create(await world.as('tenant'), given)).rejects.toMatchObject({ code: 'validation', field })
})

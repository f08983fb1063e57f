import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Catalog, catalogSchema, ownServerListSchema } from '@/lib/schemas/api/catalog'
import type { CatalogScope } from '@/lib/schemas/api/catalog-inputs'
import type { AddPrice } from '@/lib/schemas/api/price-inputs'
import type { CreateWebhook } from '@/lib/schemas/api/webhook-inputs'
import type { Actor, ServiceContext } from '@/lib/server/context/service-context'
import { conditionalJson } from '@/lib/server/http/conditional'
import { anyRow } from '@/lib/server/testing/any-row'
import { createFlavorWorld } from '@/lib/services/flavor/testing/flavor-world'
import { addPrice } from '@/lib/services/price/add-price'
import { TENANT } from '@/lib/services/testing/service-world'
import { createWebhook } from '@/lib/services/webhook/create-webhook'
import { projectIdOf } from '@/simulator/openstack/demo-cloud/accounts'
import { dropConsumer, putConsumer } from '@/simulator/openstack/placement/change-allocations'
import { countCatalog } from './catalog-cache'
import { getCatalog } from './get-catalog'
import { listOwnServers } from './list-own-servers'
import { queueFreeFlavors } from './start-catalog-notifications'
import { endWatch, watchFlavor } from './watch-flavor'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const world = createFlavorWorld()
let close: (() => Promise<void>) | null = null
beforeEach(async () => {
  close = await world.openCloud()
})
afterEach(() => close?.())

const OWN = 'cfd-lab'
const OTHER = 'bio-ml'

const member = (project = OWN, userId = 'u-ferrand'): Actor => ({
  kind: 'user',
  name: 'm.ferrand@Default',
  roles: ['tenant'],
  account: {
    cloud: world.opened().cloud.name,
    userId,
    userName: 'm.ferrand',
    userDomain: 'Default',
    scope: { kind: 'project', id: projectIdOf(project), name: project, domain: 'Default' },
    source: { kind: 'session', sessionId: 1, sessionHash: 'h1' },
  },
})

const read = async (): Promise<void> => {
  await world.read()
  await countCatalog(world.ctx(), world.opened().cloud)
}
const pageFor = async (scope: CatalogScope, actor = member()): Promise<Catalog> =>
  catalogSchema.parse(await getCatalog(world.ctx(actor), scope))
/** The first page with the flavors of all pages. */
const catalog = async (actor = member()): Promise<Catalog> => {
  const first = await pageFor({}, actor)
  const flavors = [...first.flavors]
  for (let { next } = first; next !== null; ) {
    const page = await pageFor({ cursor: next }, actor)
    flavors.push(...page.flavors)
    next = page.next
  }
  return { ...first, flavors }
}
const servers = async (actor = member()) => ownServerListSchema.parse(await listOwnServers(world.ctx(actor)))
const flavorOf = ({ flavors }: Catalog, name: string) => {
  const found = flavors.find((flavor) => flavor.name === name)
  if (found === undefined) throw new Error(`the catalog has no ${name}`)
  return found
}
const simulated = () => world.openstack().cloud
const novaFlavor = (name: string) => {
  const found = simulated().nova.flavors.find((flavor) => flavor.name === name)
  if (found === undefined) throw new Error(`the cloud has no ${name}`)
  return found
}

/** Another project takes so much of the first providers that carry the flavor's trait. */
const othersTake = (flavor: string, max: number, amount = 1): number => {
  const { placement } = simulated()
  const trait = Object.keys(novaFlavor(flavor).extraSpecs)
    .map((key) => /^trait\w*:(\w+)$/.exec(key)?.[1])
    .find((name) => name !== undefined)
  let taken = 0
  for (const provider of placement.providers.values()) {
    if (taken >= max || trait === undefined || !provider.traits.has(trait)) continue
    taken += 1
    putConsumer(placement, {
      uuid: `aaaaaaaa-0000-4000-8000-${String(taken).padStart(12, '0')}`,
      projectId: projectIdOf(OTHER),
      userId: 'u-other',
      type: 'INSTANCE',
      generation: 1,
      allocations: new Map([[provider.uuid, new Map([['VGPU', amount]])]]),
    })
  }
  return taken
}

const othersGiveBack = (taken: number): void => {
  for (let target = 1; target <= taken; target += 1)
    dropConsumer(simulated().placement, `aaaaaaaa-0000-4000-8000-${String(target).padStart(12, '0')}`)
}

it('shows the flavors that the project may use, in words', async () => {
  await read()
  const slice = flavorOf(await catalog(), 'vgpu.a40-4q')
  expect(slice).toMatchObject({
    gpus: 1,
    availability: 'free',
    purposes: ['desktop', 'cad'],
    driverBranches: ['550'],
    startsTogether: false,
    isWatched: false,
  })
  expect(slice.cards).toEqual([
    {
      model: 'NVIDIA A40',
      typeName: 'A40-4Q',
      memoryMib: 4096,
      isolation: 'time-sliced',
      share: { compute: { part: 1, of: 12 }, memory: null, perInstance: null },
      displays: 4,
      maxResolution: '7680x4320',
      series: 'Q',
    },
  ])
  expect(flavorOf(await catalog(), 'vgpu.t4-4q').startsTogether).toBe(true)
})

it('shows the price per hour by the prices of the day', async () => {
  await read()
  const cloud = world.opened().cloud.name
  const today = world.ctx().now().toISOString().slice(0, 10)
  const add = (change: Partial<AddPrice>) =>
    addPrice(world.ctx(), {
      body: {
        ...{ cloud, model: 'NVIDIA A40', typeName: null, amount: '1.20', currency: 'EUR', validFrom: today },
        ...change,
      },
    })
  const priceOf = async (name: string) => flavorOf(await catalog(), name).pricePerHour
  expect(await priceOf('vgpu.a40-4q')).toBeNull()
  await add({})
  expect(await priceOf('vgpu.a40-4q')).toEqual({ amount: '0.10', currency: 'EUR' })
  await add({ typeName: 'A40-4Q', amount: '0.1475' })
  await add({ typeName: 'A40-4Q', amount: '9', validFrom: '2999-01-01' })
  expect(await priceOf('vgpu.a40-4q')).toEqual({ amount: '0.1475', currency: 'EUR' })
  expect(await priceOf('vgpu.t4-4q')).toBeNull()
})

it('hides flavors of other projects and disabled ones, and does not reveal that they exist', async () => {
  const foreign = novaFlavor('vgpu.a40-4q')
  foreign.isPublic = false
  foreign.projectIds = [projectIdOf(OTHER)]
  novaFlavor('vgpu.t4-4q').isDisabled = true
  await read()
  const names = (await catalog()).flavors.map(({ name }) => name)
  expect(names).not.toContain('vgpu.a40-4q')
  expect(names).not.toContain('vgpu.t4-4q')
  expect((await catalog(member(OTHER))).flavors.map(({ name }) => name)).toContain('vgpu.a40-4q')
  const refusal = (id: string) =>
    watchFlavor(world.ctx(member()), { flavor: id }).catch((error: Error) => error.message.replace(id, 'ID'))
  expect(await refusal(foreign.id)).toBe(await refusal('no-such-flavor'))
  foreign.isPublic = true
  foreign.projectIds = []
  novaFlavor('vgpu.t4-4q').isDisabled = false
})

it('hides a flavor whose only hosts an aggregate keeps for other projects', async () => {
  const { nova } = simulated()
  const hosts = nova.computes.map(({ host }) => host)
  const aggregate = {
    id: 90,
    uuid: '90909090-0000-4000-8000-000000000000',
    name: 'kept',
    zone: null,
    hosts,
    createdMs: 0,
    metadata: { filter_tenant_id: projectIdOf(OTHER) },
  }
  nova.aggregates.push(aggregate)
  await read()
  const id = novaFlavor('vgpu.a40-4q').id
  expect((await catalog(member(OTHER))).flavors.map(({ name }) => name)).toContain('vgpu.a40-4q')
  expect((await catalog()).flavors.map(({ name }) => name)).not.toContain('vgpu.a40-4q')
  await expect(watchFlavor(world.ctx(member()), { flavor: id })).rejects.toMatchObject({ code: 'not_found' })
  nova.aggregates.splice(nova.aggregates.indexOf(aggregate), 1)
})

it('shows what the own limit leaves, and which limit is short', async () => {
  await read()
  const before = await catalog()
  const [vgpus] = before.quotas ?? []
  expect(vgpus?.resourceName).toBe('class:VGPU')
  const headroom = flavorOf(before, 'vgpu.a40-4q').headroom
  expect(
    headroom.state === 'available' && (headroom.more ?? 0) <= (vgpus?.limit ?? 0) - (vgpus?.used ?? 0),
  ).toBe(true)
  const limit = simulated().keystone.limits.find(
    ({ projectId, resourceName }) => projectId === projectIdOf(OWN) && resourceName === 'class:VGPU',
  )
  if (limit === undefined) throw new Error('the project has no limit')
  const wasLimit = limit.resourceLimit
  limit.resourceLimit = vgpus?.used ?? 0
  // Limits are not read in every round.
  world.setClock(new Date(world.ctx().now().getTime() + 900_000))
  await read()
  expect(flavorOf(await catalog(), 'vgpu.a40-4q').headroom).toEqual({
    state: 'short',
    short: [{ resourceName: 'class:VGPU', limit: vgpus?.used, used: vgpus?.used, needs: 1 }],
  })
  limit.resourceLimit = wasLimit
})

it('states when the limit of the number of servers is reached', async () => {
  await read()
  const limit = simulated().keystone.limits.find(
    ({ projectId, resourceName }) => projectId === projectIdOf(OWN) && resourceName === 'servers',
  )
  if (limit === undefined) throw new Error('the project has no limit on servers')
  const was = limit.resourceLimit
  const held = [...simulated().nova.servers.values()].filter(
    ({ projectId }) => projectId === projectIdOf(OWN),
  )
  limit.resourceLimit = held.length
  world.setClock(new Date(world.ctx().now().getTime() + 900_000))
  await read()
  const { headroom } = flavorOf(await catalog(), 'vgpu.a40-4q')
  expect(headroom).toEqual({
    state: 'short',
    short: [{ resourceName: 'servers', limit: held.length, used: held.length, needs: 1 }],
  })
  limit.resourceLimit = was
})

it('does not take an unread use for none', async () => {
  await read()
  // Longer than Placement's answer is cached.
  world.setClock(new Date(world.ctx().now().getTime() + 60_000))
  world.openstack().controls.breakApi({ service: 'placement' })
  const { quotas, flavors } = await catalog()
  expect(quotas?.every(({ used }) => used === null)).toBe(true)
  expect(flavors.every(({ headroom }) => headroom.state === 'unknown')).toBe(true)
})

it('has texts for a cloud that was not read, and for one that is no longer read', async () => {
  expect(await catalog()).toMatchObject({ state: 'unread', flavors: [] })
  expect(await servers()).toMatchObject({ isRead: false, servers: [] })
  await read()
  world.setClock(new Date(world.ctx().now().getTime() + 3_600_000))
  await countCatalog(world.ctx(), world.opened().cloud)
  const late = await catalog()
  expect(late.state).toBe('stale')
  expect(await servers()).toMatchObject({ isRead: true, isStale: true })
  expect(new Set(late.flavors.map(({ availability }) => availability))).toEqual(new Set(['unknown']))
})

it('lists the own servers with their cards and license', async () => {
  await read()
  const own = await servers()
  expect(own.isStale).toBe(false)
  const named = [...simulated().nova.servers.values()].filter(
    ({ projectId }) => projectId === projectIdOf(OWN),
  )
  expect(own.servers.map(({ name }) => name).toSorted()).toEqual(named.map(({ name }) => name).toSorted())
  expect(own.servers.some(({ license }) => license === 'Licensed')).toBe(true)
  expect(own.servers.some(({ guestDriver }) => guestDriver === '550.54.15')).toBe(true)
  expect(own.servers.every(({ gpus }) => gpus !== null)).toBe(true)
})

it('stores a request for a notification for its author in that project, until it ends', async () => {
  await read()
  const { id } = novaFlavor('vgpu.t4-16c')
  await watchFlavor(world.ctx(member()), { flavor: id })
  await watchFlavor(world.ctx(member()), { flavor: id })
  expect(flavorOf(await catalog(), 'vgpu.t4-16c').isWatched).toBe(true)
  expect(flavorOf(await catalog(member(OWN, 'u-okafor')), 'vgpu.t4-16c').isWatched).toBe(false)
  expect(flavorOf(await catalog(member(OTHER)), 'vgpu.t4-16c').isWatched).toBe(false)
  await endWatch(world.ctx(member()), { flavor: id })
  await endWatch(world.ctx(member()), { flavor: id })
  expect(flavorOf(await catalog(), 'vgpu.t4-16c').isWatched).toBe(false)
  expect(await actions()).toEqual(['catalog.watch', 'catalog.end-watch'])
})

const addWebhook = (changes: Partial<CreateWebhook> = {}) =>
  createWebhook(world.ctx(), {
    body: {
      ...{
        cloud: world.opened().cloud.name,
        name: 'mail',
        form: 'json',
        address: 'https://hooks.example.org/x',
      },
      ...{ findingSeverity: null, wantsExhaustion: false, wantsChanges: false, wantsFreeFlavors: true },
      ...changes,
    },
  })

const notify = () => queueFreeFlavors(world.ctx({ kind: 'system' }), world.opened().cloud)

const queued = async () =>
  (
    await world.ctx().database.prisma.webhookDelivery.findMany({
      where: { webhook: { cloudId: world.opened().cloud.id } },
      orderBy: { id: 'asc' },
      include: { webhook: true },
    })
  ).map(({ event, webhook }) => ({ to: webhook.name, event }))

const actions = async (): Promise<string[]> => {
  const rows = await world
    .ctx()
    .database.query(
      'SELECT action FROM audit_entry WHERE cloud = $1 ORDER BY id',
      [world.opened().cloud.name],
      anyRow<{ action: string }>(),
    )
  return rows.map(({ action }) => action)
}

it('queues one message for each webhook that receives free flavors, with the names of person and project', async () => {
  await read()
  const flavor = novaFlavor('vgpu.a40-4q')
  await watchFlavor(world.ctx(member()), { flavor: flavor.id })
  await addWebhook()
  await addWebhook({ name: 'others', wantsChanges: true, wantsFreeFlavors: false })
  const at = world.ctx().now().toISOString()
  await Promise.all([notify(), notify()])
  await notify()
  expect(await queued()).toEqual([
    {
      to: 'mail',
      event: {
        ...{ event: 'flavor.free', at, cloud: world.opened().cloud.name, availability: 'free' },
        flavor: { id: flavor.id, name: 'vgpu.a40-4q' },
        project: { id: projectIdOf(OWN), name: OWN },
        user: { id: 'u-ferrand', name: 'm.ferrand@Default' },
      },
    },
  ])
  expect(await actions()).toEqual(['catalog.watch', 'webhook.create', 'webhook.create', 'catalog.tell'])
})

it('keeps a watch without a webhook, and notifies the first one that is added', async () => {
  await read()
  await watchFlavor(world.ctx(member()), { flavor: novaFlavor('vgpu.a40-4q').id })
  await notify()
  const { id } = await addWebhook()
  await world.ctx().database.prisma.webhook.update({ where: { id }, data: { isEnabled: false } })
  await notify()
  expect(await queued()).toEqual([])
  await world.ctx().database.prisma.webhook.update({ where: { id }, data: { isEnabled: true } })
  await notify()
  expect(await queued()).toHaveLength(1)
})

it('leaves a watch that nothing is free for, and has the message with its audit row or neither', async () => {
  await read()
  await watchFlavor(world.ctx(member()), { flavor: novaFlavor('vgpu.a40-4q').id })
  await addWebhook()
  const taken = othersTake('vgpu.a40-4q', 999, 99)
  await read()
  await notify()
  expect(await queued()).toEqual([])
  othersGiveBack(taken)
  await read()
  const ctx = world.ctx({ kind: 'system' })
  const { transaction } = ctx.database
  const broken = vi.spyOn(ctx.database, 'transaction').mockImplementation((work) =>
    transaction(async (connection) => {
      await work(connection)
      throw new Error('killed')
    }),
  )
  await expect(queueFreeFlavors(ctx, world.opened().cloud)).rejects.toThrow('killed')
  broken.mockRestore()
  expect([await queued(), await actions()]).toEqual([[], ['catalog.watch', 'webhook.create']])
  await notify()
  expect(await queued()).toHaveLength(1)
})

it('takes no project but that of the sign-in', async () => {
  await expect(getCatalog(world.ctx(TENANT), {})).rejects.toMatchObject({ code: 'precondition' })
  await expect(listOwnServers(world.ctx(TENANT))).rejects.toMatchObject({ code: 'precondition' })
  await expect(getCatalog(world.ctx({ kind: 'anonymous' }), {})).rejects.toMatchObject({ code: 'forbidden' })
})

const headersOf = (value: unknown): string[][] => [
  ...conditionalJson(new Request('http://console.invalid/'), value).headers,
]

/** Everything that a tenant gets to see of a world: answers, refusals, headers, and the work behind them. */
const session = async () => {
  const answers = []
  const readFlavors = (ctx: ServiceContext) => getCatalog(ctx, { q: 't4', sort: 'availability' })
  for (const ask of [readFlavors, listOwnServers]) {
    const ctx = world.ctx(member())
    const query = vi.spyOn(ctx.database, 'query')
    const answer = await ask(ctx)
    const statements = query.mock.calls.map(([text]) => JSON.stringify(text))
    query.mockRestore()
    answers.push({ body: JSON.stringify(answer), headers: headersOf(answer), statements })
  }
  expect(answers[0]?.body).toContain('vgpu.t4-4q')
  const refusal = await watchFlavor(world.ctx(member()), { flavor: 'none' }).catch((error: Error) => error)
  return { answers, refusal: JSON.stringify(refusal), message: String(refusal) }
}

it('is the same to the byte in a world that differs in what others use, have and may', async () => {
  await read()
  const before = await session()
  const { nova, keystone } = simulated()
  expect(othersTake('vgpu.t4-4q', 1)).toBe(1)
  const othersServers = [...nova.servers.values()].filter(({ projectId }) => projectId !== projectIdOf(OWN))
  expect(othersServers.length).toBeGreaterThan(3)
  for (const server of othersServers.slice(0, 3)) server.name = `secret-${server.name}`
  const limits = keystone.limits.filter(({ projectId }) => projectId === projectIdOf(OTHER))
  for (const limit of limits) limit.resourceLimit += 7
  nova.flavors.push({
    ...novaFlavor('vgpu.t4-4q'),
    id: 'f-secret',
    name: 'vgpu.secret',
    isPublic: false,
    projectIds: [projectIdOf(OTHER)],
  })
  await read()
  expect(await session()).toEqual(before)
})

it('counts nothing while a tenant waits', async () => {
  await read()
  const before = await session()
  othersTake('vgpu.t4-4q', 99, 4)
  await world.read()
  expect(await session()).toEqual(before)
  await countCatalog(world.ctx(), world.opened().cloud)
  expect(flavorOf(await catalog(), 'vgpu.t4-4q').availability).not.toBe('free')
})

it('has no host, no other project and no other server in it', async () => {
  await read()
  const text = JSON.stringify([await catalog(), await listOwnServers(world.ctx(member()))])
  const { nova, keystone, placement } = simulated()
  const secrets = [
    ...keystone.projects.filter(({ name }) => name !== OWN).flatMap(({ id, name }) => [id, `"${name}"`]),
    ...[...nova.servers.values()]
      .filter(({ projectId }) => projectId !== projectIdOf(OWN))
      .flatMap(({ uuid, name }) => [uuid, `"${name}"`]),
    ...[...nova.servers.values()].map(({ host }) => host ?? 'no host'),
    ...[...placement.providers.values()].flatMap(({ uuid, name }) => [uuid, name]),
  ]
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
})

it('notifies of nothing that is not free or is not for the project', async () => {
  await addWebhook()
  const [free, full] = [novaFlavor('vgpu.a40-4q'), novaFlavor('vgpu.t4-4q')]
  await read()
  await watchFlavor(world.ctx(member()), { flavor: free.id })
  await watchFlavor(world.ctx(member()), { flavor: full.id })
  free.isPublic = false
  free.projectIds = [projectIdOf(OTHER)]
  othersTake('vgpu.t4-4q', 99, 4)
  // Flavors are not read in every round.
  world.setClock(new Date(world.ctx().now().getTime() + 900_000))
  await read()
  expect(flavorOf(await catalog(), 'vgpu.t4-4q').availability).toBe('none')
  await notify()
  expect(await queued()).toEqual([])
  free.isPublic = true
  free.projectIds = []
})

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Catalog, catalogSchema } from '@/lib/schemas/api/catalog'
import type { CatalogScope } from '@/lib/schemas/api/catalog-inputs'
import type { Actor } from '@/lib/server/context/service-context'
import { createFlavorWorld } from '@/lib/services/flavor/testing/flavor-world'
import { addPrice } from '@/lib/services/price/add-price'
import { makeRequest } from '@/lib/services/quota-request/make-request'
import { listOwnRequests } from '@/lib/services/quota-request/own-requests'
import { naturalKey } from '@/lib/util/natural-order'
import { projectIdOf } from '@/simulator/openstack/demo-cloud/accounts'
import { putConsumer } from '@/simulator/openstack/placement/change-allocations'
import { countCatalog } from './catalog-cache'
import { getCatalog } from './get-catalog'

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
  name: `${userId}@Default`,
  roles: ['tenant'],
  account: {
    cloud: world.opened().cloud.name,
    userId,
    userName: userId,
    userDomain: 'Default',
    scope: { kind: 'project', id: projectIdOf(project), name: project, domain: 'Default' },
    source: { kind: 'session', sessionId: 1, sessionHash: 'h1' },
  },
})

const read = async (): Promise<void> => {
  await world.read()
  await countCatalog(world.ctx(), world.opened().cloud)
}

const pageFor = async (scope: CatalogScope): Promise<Catalog> =>
  catalogSchema.parse(await getCatalog(world.ctx(member()), scope))

/** The first page with the flavors of all pages. */
const catalog = async (): Promise<Catalog> => {
  const first = await pageFor({ limit: 7 })
  const flavors = [...first.flavors]
  for (let { next } = first; next !== null; ) {
    const page = await pageFor({ limit: 7, cursor: next })
    flavors.push(...page.flavors)
    next = page.next
  }
  return { ...first, flavors }
}

const novaFlavor = (name: string) => {
  const found = world.openstack().cloud.nova.flavors.find((flavor) => flavor.name === name)
  if (found === undefined) throw new Error(`the cloud has no ${name}`)
  return found
}

/** Another project takes one vGPU of every provider; resolves to their number. */
const othersTakeAll = (): number => {
  const { placement } = world.openstack().cloud
  const providers = [...placement.providers.values()].filter(({ inventories }) => inventories.has('VGPU'))
  for (const [index, { uuid }] of providers.entries())
    putConsumer(placement, {
      uuid: `aaaaaaaa-0000-4000-8000-${String(index).padStart(12, '0')}`,
      projectId: projectIdOf(OTHER),
      userId: 'u-other',
      type: 'INSTANCE',
      generation: 1,
      allocations: new Map([[uuid, new Map([['VGPU', 1]])]]),
    })
  return providers.length
}

it('has at most 48 flavors on a page, and the next ones follow in the same order', async () => {
  await read()
  const { flavors, total, counts } = await catalog()
  expect(flavors.length).toBe(total)
  expect(counts.all).toBe(total)
  const [one, two] = [await pageFor({ limit: 5 }), await pageFor({ limit: 1000 })]
  expect(one.flavors.map(({ id }) => id)).toEqual(flavors.slice(0, 5).map(({ id }) => id))
  const next = await pageFor({ limit: 5, cursor: one.next })
  expect(next.flavors.map(({ id }) => id)).toEqual(flavors.slice(5, 10).map(({ id }) => id))
  expect(two.flavors.length).toBe(Math.min(48, total))
  expect(JSON.stringify(await pageFor({ limit: 24 })).length).toBeLessThan(30_000)
})

it('filters and finds on the server, and lists the values of all flavors of the project', async () => {
  await read()
  const all = await catalog()
  expect(all.filters.isolations).toEqual(['time-sliced', 'mig', 'whole'])
  const whole = await pageFor({ state: 'whole' })
  expect(whole.total).toBeGreaterThan(0)
  expect(whole.total).toBeLessThan(all.total)
  expect(whole.flavors.flatMap(({ cards }) => cards).every(({ isolation }) => isolation === 'whole')).toBe(
    true,
  )
  expect([whole.filters, whole.counts, whole.quotas]).toEqual([all.filters, all.counts, all.quotas])
  const names = async (scope: CatalogScope) => (await pageFor(scope)).flavors.map(({ name }) => name)
  expect(await names({ q: 'a40 4 gib desktop' })).toContain('vgpu.a40-4q')
  expect(await names({ q: 'a40', for: 'training' })).not.toContain('vgpu.a40-4q')
  expect(await names({ q: 'a40-4q', memory: 5 })).toEqual([])
  expect(await names({ ids: novaFlavor('vgpu.t4-4q').id, q: 'T4' })).toEqual(['vgpu.t4-4q'])
  await expect(pageFor({ state: 'none' } as never)).rejects.toMatchObject({ code: 'validation' })
})

it('sorts by the label of the availability and by name, and by no other fact of it', async () => {
  const taken = othersTakeAll()
  expect(taken).toBeGreaterThan(0)
  await read()
  const { flavors } = await pageFor({ sort: 'availability' })
  const rank = { free: 0, few: 1, none: 2, unknown: 3 }
  const byLabel = flavors.map(({ availability, name }) => `${rank[availability]} ${naturalKey(name)}`)
  expect(new Set(flavors.map(({ availability }) => availability)).size).toBeGreaterThan(1)
  expect(byLabel).toEqual(byLabel.toSorted())
})

it('sorts by the price per hour, and lists flavors without a price last', async () => {
  await read()
  expect((await pageFor({})).hasPrices).toBe(false)
  const { cloud } = world.opened()
  const validFrom = world.ctx().now().toISOString().slice(0, 10)
  const add = (model: string, typeName: string, amount: string) =>
    addPrice(world.ctx(), {
      body: { cloud: cloud.name, model, typeName, amount, currency: 'EUR', validFrom },
    })
  await add('NVIDIA A40', 'A40-4Q', '0.30')
  await add('NVIDIA Tesla T4', 'T4-4Q', '0.05')
  const priced = async (scope: CatalogScope) =>
    (await pageFor(scope)).flavors.slice(0, 2).map(({ pricePerHour }) => pricePerHour?.amount)
  expect(await priced({})).toEqual(['0.05', '0.30'])
  expect(await priced({ sort: 'price', desc: 'true' })).toEqual(['0.30', '0.05'])
  expect((await pageFor({ q: 'no such flavor' })).hasPrices).toBe(true)
})

it('gives equal requests of one person one answer, and other persons their own', async () => {
  await read()
  const scope = { limit: 24 }
  const ctx = world.ctx(member())
  const [a, b, other] = await Promise.all([
    getCatalog(ctx, scope),
    getCatalog(ctx, scope),
    getCatalog(world.ctx(member(OTHER, 'u-okafor')), scope),
  ])
  expect(a).toBe(b)
  expect(other).toMatchObject({ project: OTHER })
})

it('lets a project request quota for devices by alias that Placement counts, and shows that quota', async () => {
  await read()
  const resourceName = 'class:CUSTOM_L40S_8Q'
  expect((await catalog()).quotas).toContainEqual(
    expect.objectContaining({ resourceName, kind: 'vgpu', limit: 0, used: 0 }),
  )
  const ctx = world.ctx(member())
  expect((await listOwnRequests(ctx)).classes).toContainEqual(
    expect.objectContaining({ resourceName, kind: 'vgpu', limit: expect.objectContaining({ value: 0 }) }),
  )
  const made = await makeRequest(ctx, {
    body: { resourceName, value: 40, until: null, reason: 'Training of large models' },
  })
  expect(made).toMatchObject({ resourceName, value: 40, status: 'open' })
})

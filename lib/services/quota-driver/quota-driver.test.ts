import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { quotaDriverStatusSchema } from '@/lib/schemas/api/quota-driver'
import { createQuery } from '@/lib/server/database/row'
import { anyRow } from '@/lib/server/testing/any-row'
import { cachedCatalog, countCatalog } from '@/lib/services/catalog/catalog-cache'
import { createFlavorWorld } from '@/lib/services/flavor/testing/flavor-world'
import { getLimitSetUp } from '@/lib/services/limit-set-up/get-limit-set-up'
import { listQuotas } from '@/lib/services/quota/list-quotas'
import { READER, TENANT } from '@/lib/services/testing/service-world'
import { getQuotaDriver } from './get-quota-driver'
import { setDriver, withdrawDriver } from './set-driver'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const world = createFlavorWorld()
let close: (() => Promise<void>) | null = null
beforeEach(async () => {
  close = await world.openCloud()
})
afterEach(() => close?.())

const scope = () => ({ cloud: world.opened().cloud.name })
const status = async () => quotaDriverStatusSchema.parse(await getQuotaDriver(world.ctx(READER), scope()))
const enterDriver = (driver: 'unified' | 'legacy') => setDriver(world.ctx(), { ...scope(), body: { driver } })

const audit = () =>
  world
    .ctx()
    .database.query(
      `SELECT action, before, after FROM audit_entry WHERE cloud = $1 AND action LIKE '%quota-driver' ORDER BY id`,
      [scope().cloud],
      anyRow<{ action: string; before: unknown; after: unknown }>(),
    )

it('is answered, changed and withdrawn by an admin, each with who, when and an audit row', async () => {
  expect(await status()).toMatchObject({ driver: null, source: null, answer: null })
  await enterDriver('legacy')
  expect(await status()).toMatchObject({
    driver: 'legacy',
    source: 'answer',
    answer: { driver: 'legacy', by: 'user:local-admin', at: world.ctx().now().toISOString() },
  })
  await enterDriver('unified')
  expect((await status()).driver).toBe('unified')
  await withdrawDriver(world.ctx(), scope())
  expect(await status()).toMatchObject({ driver: null, source: null, answer: null })
  expect(await audit()).toEqual([
    { action: 'cloud.tell-quota-driver', before: null, after: { driver: 'legacy' } },
    { action: 'cloud.tell-quota-driver', before: { driver: 'legacy' }, after: { driver: 'unified' } },
    { action: 'cloud.withdraw-quota-driver', before: { driver: 'unified' }, after: null },
  ])
})

it('cannot be entered by readers, for another cloud, or with another value', async () => {
  const body = { driver: 'unified' as const }
  const forbidden = { code: 'forbidden' }
  await expect(setDriver(world.ctx(READER), { ...scope(), body })).rejects.toMatchObject(forbidden)
  await expect(withdrawDriver(world.ctx(READER), scope())).rejects.toMatchObject(forbidden)
  await expect(getQuotaDriver(world.ctx(TENANT), scope())).rejects.toMatchObject(forbidden)
  await expect(setDriver(world.ctx(), { cloud: 'elsewhere', body })).rejects.toMatchObject({
    code: 'not_found',
  })
  const noop = { driver: 'noop' } as unknown as typeof body
  await expect(setDriver(world.ctx(), { ...scope(), body: noop })).rejects.toMatchObject({
    code: 'validation',
    field: 'driver',
  })
  await expect(withdrawDriver(world.ctx(), scope())).rejects.toMatchObject({ code: 'not_found' })
  expect(await status()).toMatchObject({ answer: null })
  expect(await audit()).toEqual([])
})

it('leaves no answer behind where its audit row can’t be written', async () => {
  const { database } = world.ctx()
  const broken = {
    ...world.ctx(),
    database: {
      ...database,
      query: database.query,
      transaction: ((work) =>
        database.transaction(({ query, prisma }) =>
          work({
            prisma,
            query: createQuery(async (sql, values) => {
              if (/audit_entry/.test(String(sql))) throw new Error('the audit is out of order')
              return query(sql, values)
            }),
          }),
        )) as typeof database.transaction,
    },
  }
  await expect(setDriver(broken, { ...scope(), body: { driver: 'legacy' } })).rejects.toThrow('out of order')
  expect((await status()).answer).toBeNull()
})

const requestCount = () =>
  Object.values(world.opened().account.transport.costs()).reduce((sum, { requests }) => sum + requests, 0)

const costOf = async (work: () => Promise<unknown>) => {
  const before = requestCount()
  await work()
  return requestCount() - before
}

it('sends one set of requests to OpenStack for concurrent reads of the set-up', async () => {
  await world.read()
  const look = () => getLimitSetUp(world.ctx(READER), scope())
  await look()
  const one = await costOf(look)
  const many = await costOf(() => Promise.all(Array.from({ length: 60 }, look)))
  expect(many).toBeLessThanOrEqual(2 * one)
})

it('does so too when the database answers one reader after the other', async () => {
  await world.read()
  const ends: (() => void)[] = []
  let turn = Promise.resolve()
  let turns = 0
  /** The next reader learns the number of the round when the one before it has ended. */
  const nextTurn = (): Promise<void> => {
    const mine = turn
    turn = new Promise((resolve) => ends.push(resolve))
    return mine
  }
  const ctx = world.ctx(READER)
  const readers = new AsyncLocalStorage<{ hasTurn: boolean }>()
  const prisma = ctx.database.prisma.$extends({
    query: {
      cloudRound: {
        findUnique: async ({ args, query }) => {
          const reader = readers.getStore()
          if (reader?.hasTurn === false) {
            reader.hasTurn = true
            turns += 1
            await nextTurn()
          }
          return query(args)
        },
      },
    },
  })
  // An extended client has all but `$on`, which services do not use.
  const database = { ...ctx.database, prisma: prisma as unknown as typeof ctx.database.prisma }
  const look = () =>
    readers.run({ hasTurn: false }, () =>
      getLimitSetUp({ ...ctx, database }, scope()).finally(() => ends.shift()?.()),
    )
  await look()
  const one = await costOf(look)
  const many = await costOf(() => Promise.all(Array.from({ length: 10 }, look)))
  expect(turns).toBeGreaterThan(0)
  expect(many).toBeLessThanOrEqual(2 * one)
})

it('decides whether limits count: in quotas, the set-up, and the catalog of tenants', async () => {
  await world.read()
  const now = async () => {
    await countCatalog(world.ctx(), world.opened().cloud)
    const { hasSign, driverAnswer } = await listQuotas(world.ctx(READER), scope())
    const { facts, driver } = await getLimitSetUp(world.ctx(READER), scope())
    return {
      hasSign,
      answered: driverAnswer?.driver ?? null,
      driver,
      fact: facts.find(({ id }) => id === 'driver')?.reported,
      tenants: cachedCatalog(world.ctx(), world.opened().cloud)?.limits !== null,
    }
  }
  expect(await now()).toMatchObject({ hasSign: true, answered: null, tenants: true })
  await enterDriver('legacy')
  const legacy = await now()
  expect(legacy).toMatchObject({ hasSign: false, answered: 'legacy', tenants: false })
  expect(legacy.fact).toContain('local-admin answered that Nova’s API uses its own quotas')
  await enterDriver('unified')
  expect(await now()).toMatchObject({ hasSign: true, answered: 'unified', driver: 'unified', tenants: true })
  await withdrawDriver(world.ctx(), scope())
  expect(await now()).toMatchObject({ answered: null, tenants: true })
})

it('the set-up names the domain in which Keystone has no such user', async () => {
  await world.read()
  const setUp = await getLimitSetUp(world.ctx(READER), { ...scope(), user: 'nova', domain: 'no-such-domain' })
  expect(setUp.facts.find(({ id }) => id === 'role')).toMatchObject({
    state: 'unknown',
    reported: 'Keystone has no user nova in the domain with the ID no-such-domain',
    check: 'openstack role assignment list --user nova --user-domain no-such-domain --system all --names',
  })
})

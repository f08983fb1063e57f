import { expect, test } from 'vitest'
import { priceListSchema } from '@/lib/schemas/api/price'
import type { AddPrice } from '@/lib/schemas/api/price-inputs'
import { writeHostRows } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld, NOW, READER, TENANT } from '@/lib/services/testing/service-world'
import { addPrice } from './add-price'
import { listPrices } from './list-prices'

const world = createServiceWorld()

const TODAY = '2026-11-21'
const A40 = 'NVIDIA A40'

const cloudWithPrices = async () => {
  const { id: cloudId, name: cloud } = await world.newCloud()
  const price = (change: Partial<AddPrice> = {}): AddPrice => ({
    ...{ cloud, model: A40, typeName: null, amount: '1.20', currency: 'EUR', validFrom: TODAY },
    ...change,
  })
  const add = (change: Partial<AddPrice> = {}, actor = world.ctx()) =>
    addPrice(actor, { body: price(change) })
  const audited = () =>
    world
      .database()
      .prisma.auditEntry.findMany({ where: { cloud, action: 'price.add' }, orderBy: { id: 'asc' } })
  return { cloudId, cloud, price, add, audited }
}

test('a price is listed with who added it, and a reader sees it', async () => {
  const { cloud, add, audited } = await cloudWithPrices()
  await add({ amount: ' 1.2 ' })
  const list = priceListSchema.parse(await listPrices(world.ctx(READER), { cloud }))
  expect(list).toMatchObject({
    today: TODAY,
    versions: [
      {
        ...{
          model: A40,
          typeName: null,
          amount: '1.20',
          currency: 'EUR',
          validFrom: TODAY,
          validUntil: null,
        },
        ...{ state: 'current', addedBy: 'user:local-admin', addedAt: NOW.toISOString() },
      },
    ],
  })
  expect(await audited()).toMatchObject([
    {
      before: null,
      after: { model: A40, typeName: null, amount: '1.20', currency: 'EUR', validFrom: TODAY },
    },
  ])
})

test('a new version leaves the old one unchanged, and names its last day', async () => {
  const { cloud, add, audited } = await cloudWithPrices()
  await add()
  const { versions: before } = await listPrices(world.ctx(), { cloud })
  await add({ amount: '1.50', validFrom: '2026-12-01' })
  const { versions } = await add({ amount: null, validFrom: '2027-01-01' })
  expect(versions.map(({ amount, state, validUntil }) => [amount, state, validUntil])).toEqual([
    [null, 'future', null],
    ['1.50', 'future', '2027-01-01'],
    ['1.20', 'current', '2026-12-01'],
  ])
  expect(versions.at(-1)).toEqual({ ...before[0], validUntil: '2026-12-01' })
  const later = { ...world.ctx(), now: () => new Date('2026-12-24T08:00:00Z') }
  expect((await listPrices(later, { cloud })).versions.map(({ state }) => state)).toEqual([
    'future',
    'current',
    'past',
  ])
  expect(await audited()).toMatchObject([
    { before: null },
    { before: { amount: '1.20' }, after: { amount: '1.50' } },
    { before: { amount: '1.50' }, after: { amount: null } },
  ])
})

test('a correction on the same day replaces the version and keeps it', async () => {
  const { add } = await cloudWithPrices()
  await add()
  await add({ typeName: 'A40-4Q', amount: '0.15' })
  const { versions } = await add({ model: 'nvidia  a40', amount: '1.30' })
  expect(versions.map(({ model, typeName, amount, state }) => [model, typeName, amount, state])).toEqual([
    ['nvidia  a40', null, '1.30', 'current'],
    [A40, null, '1.20', 'replaced'],
    [A40, 'A40-4Q', '0.15', 'current'],
  ])
})

test('cards of the fleet are listed before the other cards of the table, each once', async () => {
  const { cloudId, cloud } = await cloudWithPrices()
  await world.database().transaction(({ query }) =>
    writeHostRows(query, {
      cloudId,
      name: 'cmp-1',
      pgpus: [
        { address: '0000:41:00.0', model: A40 },
        { address: '0000:42:00.0', model: 'AMD Instinct MI210' },
      ],
    }),
  )
  const { cards } = await listPrices(world.ctx(READER), { cloud })
  expect(cards.filter(({ isInFleet }) => isInFleet).map(({ model }) => model)).toEqual([
    'AMD Instinct MI210',
    A40,
  ])
  expect(cards.find(({ model }) => model === A40)?.types).toContain('A40-4Q')
  expect(cards.find(({ model }) => model === 'NVIDIA L40S')).toMatchObject({ isInFleet: false })
  expect(cards.find(({ model }) => model === 'NVIDIA L40S')?.types).toContain('L40S-12Q')
  expect(new Set(cards.map(({ model }) => model)).size).toBe(cards.length)
})

test.each([
  [
    { amount: '1,2' },
    'amount',
    'amount is "1,2", but must be a number with at most four decimals, such as 0.45. Use a period as the decimal separator.',
  ],
  [{ amount: '-1' }, 'amount', /^amount is "-1", but must be a number/],
  [{ amount: '0.00001' }, 'amount', /^amount is "0.00001", but must be a number with at most four decimals/],
  [
    { currency: 'EURO' },
    'currency',
    'currency is "EURO", but must be a currency code of ISO 4217. Enter a code such as EUR.',
  ],
  [{ currency: 'DEM' }, 'currency', /^currency is "DEM"/],
  [{ model: ' ' }, 'model', /^model is " ", but must have at least 1 characters/],
  [{ typeName: 'A40\n' + '4Q' }, 'typeName', /must be one line of text/],
  [
    { validFrom: '2026-02-30' },
    'validFrom',
    'validFrom is "2026-02-30", but must be a date such as 2026-12-01.',
  ],
  [
    { validFrom: '2026-11-20' },
    'validFrom',
    'validFrom is 2026-11-20, but prices of past days do not change. Enter 2026-11-21 or a later date.',
  ],
])('%j is refused with the field, the value and the rule', async (change, field, message) => {
  const { add, audited } = await cloudWithPrices()
  await expect(add(change)).rejects.toMatchObject({
    code: 'validation',
    field,
    message: message instanceof RegExp ? expect.stringMatching(message) : message,
  })
  expect(await audited()).toEqual([])
})

test('the same price again and the end of no price are refused', async () => {
  const { add, audited } = await cloudWithPrices()
  await expect(add({ amount: null })).rejects.toMatchObject({
    code: 'conflict',
    message:
      'NVIDIA A40 has no price on 2026-11-21, so there is none to end. Enter a price, or a date on which it has one.',
  })
  await add()
  await expect(add({ validFrom: '2026-12-01' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'NVIDIA A40 already has the price EUR 1.20 on 2026-12-01. Enter another price or another date.',
  })
  expect(await audited()).toHaveLength(1)
})

test('a reader adds nothing, a tenant sees nothing, and another cloud has none of it', async () => {
  const { cloud, add, audited } = await cloudWithPrices()
  for (const actor of [READER, TENANT])
    await expect(add({}, world.ctx(actor))).rejects.toMatchObject({ code: 'forbidden' })
  await expect(listPrices(world.ctx(TENANT), { cloud })).rejects.toMatchObject({ code: 'forbidden' })
  expect(await audited()).toEqual([])
  const other = await cloudWithPrices()
  await other.add()
  expect((await listPrices(world.ctx(), { cloud })).versions).toEqual([])
})

test('without its audit row no price is stored', async () => {
  const { cloud, price } = await cloudWithPrices()
  const ctx = world.ctx()
  const { transaction } = ctx.database
  const broken = {
    ...ctx,
    database: {
      ...ctx.database,
      transaction: ((work) =>
        transaction(async (connection) => {
          await work(connection)
          throw new Error('killed')
        })) as typeof transaction,
    },
  }
  await expect(addPrice(broken, { body: price() })).rejects.toThrow('killed')
  expect((await listPrices(ctx, { cloud })).versions).toEqual([])
})

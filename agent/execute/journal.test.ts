import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryRoot } from '@/agent/testing/scan-fixture'
import { openJournal } from './journal'
import { createSignedOrders } from './testing/signed-orders'

const { orderOf } = createSignedOrders()
const NOW = new Date('2026-11-21T12:00:00Z')

test('a command that begins while results are sent neither loses nor delays them', async () => {
  const state = temporaryRoot()
  const journal = await openJournal(state)
  const orders = Array.from({ length: 20 }, () => orderOf())
  const [first, ...others] = orders
  if (first === undefined) throw new Error('orders were made')
  await journal.begin(first, NOW)
  await journal.end({ id: first.id, outcome: 'done', message: 'Done.', output: '' })

  await Promise.all([...others.map((order) => journal.begin(order, NOW)), journal.reported(first.id)])

  const reopened = await openJournal(state)
  expect(orders.every(({ id }) => reopened.has(id))).toBe(true)
  expect(reopened.unreported().map(({ id }) => id)).toEqual(others.map(({ id }) => id))
})

const DAY_MS = 24 * 3_600_000

test('a reported command is remembered for a week after its expiry, also by the next start', async () => {
  const state = temporaryRoot()
  const journal = await openJournal(state)
  const order = orderOf()
  await journal.begin(order, NOW)
  await journal.end({ id: order.id, outcome: 'done', message: 'Done.', output: '' })
  await journal.reported(order.id)

  const expiry = Date.parse(order.expiresAt)
  await journal.begin(orderOf(), new Date(expiry + 6 * DAY_MS))
  expect(journal.has(order.id)).toBe(true)
  expect((await openJournal(state)).has(order.id)).toBe(true)

  await journal.begin(orderOf(), new Date(expiry + 8 * DAY_MS))
  expect(journal.has(order.id)).toBe(false)
})

test('a command that the disk does not accept is not remembered as begun', async () => {
  const parent = temporaryRoot()
  const state = path.join(parent, 'state')
  mkdirSync(state)
  const journal = await openJournal(state)
  const order = orderOf()
  rmSync(state, { recursive: true })
  await expect(journal.begin(order, NOW)).rejects.toThrow()
  expect(journal.has(order.id)).toBe(false)
  expect(journal.unreported()).toEqual([])

  mkdirSync(state)
  await journal.begin(order, NOW)
  expect(journal.has(order.id)).toBe(true)
})

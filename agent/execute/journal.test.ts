import { expect, test } from 'vitest'
import { temporaryRoot } from '@/agent/testing/scan-fixture'
import { openJournal } from './journal'
import { createSignedOrders } from './testing/signed-orders'

const { orderOf } = createSignedOrders()
const NOW = new Date('2026-11-21T12:00:00Z')

test('a command that begins while others are told neither loses nor hinders them', async () => {
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

import { expect, test } from 'vitest'
import { createServiceWorld } from '@/lib/services/testing/service-world'
import { holdLease, releaseLease } from './lease'

const world = createServiceWorld()
const hold = (holder: string, forMs: number) =>
  holdLease(world.database().query, { name: 'reading', holder, forMs })

test('of several consoles one does the work until it lets go', async () => {
  expect(await hold('a', 60_000)).toBe(true)
  expect(await hold('b', 60_000)).toBe(false)
  expect(await hold('a', 60_000)).toBe(true)
  await releaseLease(world.database().query, { name: 'reading', holder: 'b' })
  expect(await hold('b', 60_000)).toBe(false)
  await releaseLease(world.database().query, { name: 'reading', holder: 'a' })
  expect(await hold('b', 0)).toBe(true)
})

test('a lease that has run out is taken over', async () => {
  // A second ago: a machine's clock may be set back by a little.
  expect(await hold('b', -1000)).toBe(true)
  expect(await hold('c', 60_000)).toBe(true)
  expect(await hold('b', 60_000)).toBe(false)
})

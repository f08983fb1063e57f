import { expect, test } from 'vitest'
import { createServiceWorld } from '@/lib/services/testing/service-world'
import { createLease } from './lease'

const world = createServiceWorld()

/** A console's lease on a piece of work, with what it logs. */
const leaseOf = ({ name = 'reading', forMs = 60_000 } = {}) => {
  const logged: string[] = []
  const note = (fields: unknown, text?: string) => void logged.push(`${text} ${JSON.stringify(fields)}`)
  const lease = createLease({ database: world.database(), log: { info: note, warn: note }, name, forMs })
  return { logged, ...lease }
}

test('of several consoles one does the work until it lets go', async () => {
  const [a, b] = [leaseOf(), leaseOf()]
  expect(await a.hold()).toBe(true)
  expect(await b.hold()).toBe(false)
  expect(await a.hold()).toBe(true)
  await b.release()
  expect(await b.hold()).toBe(false)
  await a.release()
  expect(await b.hold()).toBe(true)
  await b.release()
})

test('a lease that has run out is taken over, and each change is logged once', async () => {
  // A second ago: a machine's clock may be set back by a little.
  const [a, b] = [leaseOf({ name: 'late', forMs: -1000 }), leaseOf({ name: 'late' })]
  expect([await a.hold(), await a.hold(), await b.hold(), await a.hold(), await a.hold()]).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
  const fields = '{"lease":"late"}'
  expect(a.logged).toEqual([`Lease acquired ${fields}`, `Lease lost to another console ${fields}`])
  expect(b.logged).toEqual([`Lease acquired ${fields}`])
})

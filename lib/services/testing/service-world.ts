import { afterAll, beforeAll } from 'vitest'
import type { Actor, ServiceContext } from '@/lib/server/context/service-context'
import type { Database } from '@/lib/server/database/database'
import { createTestContext, createTestDatabase } from '@/lib/server/testing/test-database'
import { addCloud } from './fleet-rows'

/** The clock of service tests. */
export const NOW = new Date('2026-11-21T14:03:22.000Z')
export const secondsAgo = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000)

export const TENANT: Actor = { kind: 'user', name: 'tina', roles: ['tenant'] }
export const READER: Actor = { kind: 'user', name: 'rita', roles: ['reader'] }

export type ServiceWorld = {
  database: () => Database
  ctx: (actor?: Actor) => ServiceContext
  /** A new cloud, so that tests of one file share a database and nothing else. */
  newCloud: () => Promise<{ id: number; name: string }>
}

/** One database for the tests of a file. */
export const createServiceWorld = (): ServiceWorld => {
  let opened: Database | null = null
  let cloudCount = 0
  const database = (): Database => {
    if (opened === null) throw new Error('the database opens before the first test')
    return opened
  }
  beforeAll(async () => {
    opened = await createTestDatabase()
  })
  afterAll(() => opened?.close())
  return {
    database,
    ctx: (actor) =>
      createTestContext({ database: database(), now: () => NOW, ...(actor === undefined ? {} : { actor }) }),
    newCloud: async () => {
      const name = `cloud-${++cloudCount}`
      return { id: await addCloud(database(), name), name }
    },
  }
}

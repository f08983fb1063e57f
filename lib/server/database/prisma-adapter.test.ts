import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rootDirectory } from '@/lib/server/settings/root-directory'
import { PrismaClient } from '../prisma-client/client'
import { applyMigrations } from './apply-migrations'
import { createPgliteAdapter } from './open-pglite'
import { guardAdapter, inTransaction } from './prisma-adapter'
import { readMigrations } from './read-migrations'
import { pgliteSession } from './session'

let client: PGlite
let prisma: PrismaClient
let isFull = false
beforeEach(async () => {
  client = await PGlite.create()
  const migrations = await readMigrations(join(rootDirectory(), 'prisma', 'migrations'))
  await applyMigrations({ session: pgliteSession(client), migrations })
  isFull = false
  const beforeStatement = () => {
    if (isFull) throw new Error('The disk is full.')
  }
  prisma = new PrismaClient({ adapter: guardAdapter(createPgliteAdapter(client), { beforeStatement }) })
})
afterEach(async () => {
  await prisma.$disconnect()
  await client.close()
})

test('a statement that is refused in a transaction rolls it back', async () => {
  const work = inTransaction(prisma, async (transaction) => {
    await transaction.cloud.create({ data: { name: 'first' } })
    isFull = true
    await transaction.cloud.create({ data: { name: 'second' } })
  })
  await expect(work).rejects.toThrow('The disk is full.')
  expect(await prisma.cloud.count()).toBe(0)
})

test('after Prisma has ended a transaction, its work can run no other statement', async () => {
  let late: unknown = null
  let hasTried: () => void = () => undefined
  const tried = new Promise<void>((resolve) => {
    hasTried = resolve
  })
  const work = inTransaction(
    prisma,
    async (transaction, assertOpen) => {
      await transaction.cloud.create({ data: { name: 'first' } })
      const isEnded = () => {
        try {
          assertOpen()
          return false
        } catch (error) {
          late = error
          return true
        }
      }
      while (!isEnded()) await new Promise((resolve) => setTimeout(resolve, 10))
      hasTried()
    },
    50,
  )
  await expect(work).rejects.toMatchObject({ code: 'P2028' })
  await tried
  expect(String(late)).toContain('The transaction is over.')
  expect(await prisma.cloud.count()).toBe(0)
})

test('a transaction of the client inside an open one fails immediately', async () => {
  const work = inTransaction(prisma, () =>
    prisma.$transaction(async (inner) => inner.cloud.create({ data: { name: 'inner' } })),
  )
  await expect(work).rejects.toThrow('A transaction is open here')
  expect(await prisma.cloud.count()).toBe(0)
})

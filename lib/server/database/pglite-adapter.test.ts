import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { rootDirectory } from '@/lib/server/settings/root-directory'
import { PrismaClient } from '../prisma-client/client'
import { applyMigrations } from './apply-migrations'
import { createPgliteAdapter } from './pglite-adapter'
import { readMigrations } from './read-migrations'
import { pgliteSession } from './session'

test('a statement that is refused in a transaction rolls it back', async () => {
  const client = await PGlite.create()
  const migrations = await readMigrations(join(rootDirectory(), 'prisma', 'migrations'))
  await applyMigrations({ session: pgliteSession(client), migrations })
  let isFull = false
  const beforeStatement = () => {
    if (isFull) throw new Error('The disk is full.')
  }
  const prisma = new PrismaClient({ adapter: createPgliteAdapter({ client, beforeStatement }) })
  const work = prisma.$transaction(async (transaction) => {
    await transaction.cloud.create({ data: { name: 'first' } })
    isFull = true
    await transaction.cloud.create({ data: { name: 'second' } })
  })
  await expect(work).rejects.toThrow('The disk is full.')
  expect(await prisma.cloud.count()).toBe(0)
  await prisma.$disconnect()
  await client.close()
})

import 'server-only'
import { PGlite, type Transaction } from '@electric-sql/pglite'
import { PrismaClient } from '../prisma-client/client'
import { applyMigrations } from './apply-migrations'
import { BINARY_BYTES } from './binary-bytes'
import { openCluster } from './cluster-directory'
import type { Database, Query } from './database'
import { lockDataDirectory } from './lock-data-directory'
import { assertOutsideTransaction, withinTransaction } from './open-transactions'
import { createPgliteAdapter } from './pglite-adapter'
import { loadTemplate } from './pglite-template'
import type { Migration } from './read-migrations'
import { pgliteSession } from './session'

type OpenInput = { cacheDirectory: string; migrations: readonly Migration[] }

const queryOn =
  (client: PGlite | Transaction): Query =>
  async <Row>(sql: string, params: readonly unknown[] = []) =>
    (await client.query<Row>(sql, [...params])).rows

const pgliteDatabase = (client: PGlite, afterClose: () => Promise<void>): Database => {
  const prisma = new PrismaClient({ adapter: createPgliteAdapter(client) })
  const query = queryOn(client)
  return {
    kind: 'pglite',
    prisma,
    query: <Row>(sql: string, params?: readonly unknown[]) => {
      assertOutsideTransaction()
      return query<Row>(sql, params)
    },
    transaction: (work) => {
      assertOutsideTransaction()
      return client.transaction((tx) => withinTransaction(() => work(queryOn(tx))))
    },
    close: async () => {
      await prisma.$disconnect()
      await client.close()
      await afterClose()
    },
  }
}

export const openPgliteMemory = async ({ cacheDirectory, migrations }: OpenInput): Promise<Database> => {
  const template = await loadTemplate({ cacheDirectory, migrations })
  const client = await PGlite.create({
    loadDataDir: new Blob([new Uint8Array(template)]),
    serializers: BINARY_BYTES,
  })
  return pgliteDatabase(client, async () => undefined)
}

export const openPgliteDirectory = async ({
  dataDirectory,
  cacheDirectory,
  migrations,
}: OpenInput & { dataDirectory: string }): Promise<Database> => {
  const unlock = await lockDataDirectory(dataDirectory)
  try {
    const client = await openCluster({
      dataDirectory,
      template: () => loadTemplate({ cacheDirectory, migrations }),
    })
    await applyMigrations({ session: pgliteSession(client), migrations })
    return pgliteDatabase(client, unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

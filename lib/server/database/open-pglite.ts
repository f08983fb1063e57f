import 'server-only'
import { PGlite } from '@electric-sql/pglite'
import { PrismaClient } from '../prisma-client/client'
import { applyMigrations } from './apply-migrations'
import { BINARY_BYTES } from './binary-bytes'
import { openCluster } from './cluster-directory'
import type { Database, Query } from './database'
import { lockDataDirectory } from './lock-data-directory'
import { assertOutsideTransaction, withinTransaction } from './open-transactions'
import { createPgliteAdapter } from './pglite-adapter'
import { createPgliteStatements } from './pglite-statements'
import { loadTemplate } from './pglite-template'
import type { Migration } from './read-migrations'
import { pgliteSession } from './session'
import type { Statement } from './statement'

type OpenInput = { cacheDirectory: string; migrations: readonly Migration[] }

const pgliteDatabase = (client: PGlite, afterClose: () => Promise<void>): Database => {
  const prisma = new PrismaClient({ adapter: createPgliteAdapter(client) })
  const runSql = createPgliteStatements(client)
  const query: Query = <Row>(sql: string | Statement, params: readonly unknown[] = []) => {
    assertOutsideTransaction()
    // As PGlite's own `query` does: there is one connection, and a transaction must not be open on it.
    return client._runExclusiveTransaction(() => runSql<Row>(sql, params))
  }
  return {
    kind: 'pglite',
    prisma,
    query,
    history: query,
    transaction: (work) => {
      assertOutsideTransaction()
      return client.transaction((tx) =>
        withinTransaction(() =>
          work(async (sql, params = []) => {
            if (tx.closed) throw new Error('The transaction is over.')
            return runSql(sql, params)
          }),
        ),
      )
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

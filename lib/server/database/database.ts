import 'server-only'
import { join } from 'node:path'
import { rootDirectory } from '@/lib/server/settings/root-directory'
import type { Prisma, PrismaClient } from '../prisma-client/client'
import { openPostgres, type Replica } from './open-postgres'
import { readMigrations } from './read-migrations'
import type { RowSchema } from './row'
import type { Statement } from './statement'

/**
 * One SQL statement with `$1` parameters, as text or prepared. Alike on both engines: timestamptz is a Date, bigint a number (a bigint past
 * 2^53), jsonb parsed, bytea a Uint8Array. JSON parameters are passed as text, other parameters as JavaScript values.
 */
export type Query = {
  <Row>(sql: string | Statement, params: readonly unknown[], row: RowSchema<Row>): Promise<Row[]>
  /** Without a schema the rows can be counted, not read. */
  (sql: string | Statement, params?: readonly unknown[]): Promise<unknown[]>
}

/** What runs statements: the database itself, or one transaction of it. */
export type Connection = { prisma: Prisma.TransactionClient; query: Query }

/** For what needs only Prisma's models. */
export type PrismaConnection = Pick<Connection, 'prisma'>

export type Database = {
  kind: 'pglite' | 'postgres'
  /** Prisma's models. PGlite has one connection: within `$transaction` use only its own client. */
  prisma: PrismaClient
  query: Query
  /** Only reads, and only of the history: what they say may be two minutes old, since a read replica may say it. */
  history: Query
  /** Commits when `work` resolves, rolls back when it rejects. Within it only the given connection may be used. */
  transaction: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

/** Opens the database and applies missing migrations. Without an address: PGlite, in the folder or in memory (null). */
export const openDatabase = async ({
  databaseUrl,
  replica = null,
  dataDirectory,
  onMigrated = () => undefined,
}: {
  databaseUrl: string | null
  /** Of the database at `databaseUrl`, for the history. It may be away. */
  replica?: Replica | null
  dataDirectory: string | null
  /** Called with the names of the migrations that were missing. */
  onMigrated?: (names: readonly string[]) => void
}): Promise<Database> => {
  const root = rootDirectory()
  const migrations = await readMigrations(join(root, 'prisma', 'migrations'))
  if (databaseUrl) return openPostgres({ databaseUrl, replica, migrations, onMigrated })
  const cacheDirectory = join(root, '.cache')
  // A console on PostgreSQL does without PGlite's code.
  const { openPgliteDirectory, openPgliteMemory } = await import('./open-pglite')
  return dataDirectory
    ? openPgliteDirectory({ dataDirectory, cacheDirectory, migrations, onMigrated })
    : openPgliteMemory({ cacheDirectory, migrations })
}

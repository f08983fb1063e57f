import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import * as z from 'zod'
import { StartError } from '@/lib/server/errors/start-error'
import { PrismaClient } from '../prisma-client/client'
import { applyMigrations } from './apply-migrations'
import type { Connection, Database, Query } from './database'
import { describeAddress } from './describe-database'
import { assertOutsideTransaction } from './open-transactions'
import { guardAdapter, inTransaction } from './prisma-adapter'
import type { Migration } from './read-migrations'
import { createReplicaQuery, type ReplicaState } from './read-replica'
import { createQuery } from './row'
import { postgresSession } from './session'

/** Debian 12's, the oldest that the tests run on. */
const OLDEST_SERVER_VERSION = 150_000

const INT8 = 20
const INT8_ARRAY = 1016
const TEXT_ARRAY = 1009

const parseBigint = (text: string): number | bigint => {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}

const parseTextArray: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY as number)

const parseBigintArray = (text: string) =>
  parseTextArray(text).map((item) => (item === null ? null : parseBigint(item)))

// Bigints as PGlite gives them, so that rows are alike on both engines.
const parsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && oid === INT8) return parseBigint
    if (format !== 'binary' && oid === INT8_ARRAY) return parseBigintArray
    return pg.types.getTypeParser(oid, format)
  },
}

const reasonOf = (error: unknown): string => {
  const causes = error instanceof AggregateError ? error.errors : [error]
  const reasons = causes.map((cause) => (cause instanceof Error ? cause.message : String(cause)))
  return reasons.filter(Boolean).join('; ')
}

const connect = async (pool: pg.Pool, databaseUrl: string): Promise<pg.PoolClient> => {
  try {
    return await pool.connect()
  } catch (error) {
    throw new StartError(
      `The database ${describeAddress(databaseUrl)} cannot be opened (${reasonOf(error)}): start it, or correct DATABASE_URL.`,
    )
  }
}

const queryOn = (client: pg.Pool | pg.PoolClient): Query =>
  createQuery(async (sql, params) => {
    const statement = typeof sql === 'string' ? { text: sql } : sql
    return (await client.query({ ...statement, values: [...params] })).rows
  })

const SERVER = `
SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding`
const serverRow = z.object({ version: z.int(), encoding: z.string() })

const checkServer = async (client: pg.PoolClient, databaseUrl: string): Promise<void> => {
  const [server] = await queryOn(client)(SERVER, [], serverRow)
  if (!server || server.version < OLDEST_SERVER_VERSION) {
    throw new StartError(
      `The database ${describeAddress(databaseUrl)} runs on PostgreSQL ${Math.floor((server?.version ?? 0) / 10_000)}, but Sliceboard needs 15 or newer.`,
    )
  }
  if (server.encoding !== 'UTF8') {
    throw new StartError(
      `The database ${describeAddress(databaseUrl)} has the encoding ${server.encoding}, but Sliceboard needs UTF8: create it with "ENCODING 'UTF8'".`,
    )
  }
}

/** Receives the connection of the transaction that Prisma opens in this context. */
type Receiver = { client: pg.PoolClient | null }
const receivers = new AsyncLocalStorage<Receiver>()

class RecordingPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | undefined {
    if (callback !== undefined) {
      super.connect(callback)
      return undefined
    }
    return super.connect().then((client) => {
      const receiver = receivers.getStore()
      if (receiver !== undefined) receiver.client ??= client
      return client
    })
  }
}

/** A transaction of Prisma, and SQL on the connection that it has. */
const transactionOn = <T>(prisma: PrismaClient, work: (connection: Connection) => Promise<T>): Promise<T> => {
  const receiver: Receiver = { client: null }
  return receivers.run(receiver, () =>
    inTransaction(prisma, (transaction, assertOpen) => {
      const { client } = receiver
      if (client === null) throw new Error('Prisma opened a transaction without a connection of the pool.')
      const query = queryOn(client)
      return work({
        prisma: transaction,
        query: createQuery(async (sql, params) => {
          assertOpen()
          return query(sql, params)
        }),
      })
    }),
  )
}

const openPool = (connectionString: string): pg.Pool => {
  const pool = new RecordingPool({
    connectionString,
    types: parsers,
    max: 10,
    connectionTimeoutMillis: 5000,
    statement_timeout: 60_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'sliceboard',
    options: '-c TimeZone=UTC',
    keepAlive: true,
    // The system's own are two hours, for which a group of reports would wait on a server that is gone.
    keepAliveInitialDelayMillis: 10_000,
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  // A connection that breaks between two statements of a transaction would, too: its next statement fails and reports it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** `onState` gets the reason why the replica is not read, and null when it is read again. */
export type Replica = { url: string; onState: (state: ReplicaState) => void }

export const openPostgres = async ({
  databaseUrl,
  replica,
  migrations,
  onMigrated,
}: {
  databaseUrl: string
  replica: Replica | null
  migrations: readonly Migration[]
  onMigrated: (names: readonly string[]) => void
}): Promise<Database> => {
  const pool = openPool(databaseUrl)
  try {
    const client = await connect(pool, databaseUrl)
    try {
      await checkServer(client, databaseUrl)
      onMigrated(await applyMigrations({ session: postgresSession(client), migrations }))
    } finally {
      client.release()
    }
  } catch (error) {
    await pool.end()
    throw error
  }
  const prisma = new PrismaClient({ adapter: guardAdapter(new PrismaPg(pool)) })
  const query = queryOn(pool)
  const replicaPool = replica === null ? null : openPool(replica.url)
  const history =
    replica === null || replicaPool === null
      ? query
      : createReplicaQuery({ primary: query, replica: queryOn(replicaPool), onState: replica.onState })
  return {
    kind: 'postgres',
    prisma,
    query: createQuery((sql, params) => {
      assertOutsideTransaction()
      return query(sql, params)
    }),
    history: createQuery((sql, params) => {
      assertOutsideTransaction()
      return history(sql, params)
    }),
    transaction: (work) => {
      assertOutsideTransaction()
      return transactionOn(prisma, work)
    },
    close: async () => {
      await prisma.$disconnect()
      await replicaPool?.end()
      await pool.end()
    },
  }
}

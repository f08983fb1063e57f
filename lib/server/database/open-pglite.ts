import 'server-only'
import { constants } from 'node:fs'
import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { messages, PGlite } from '@electric-sql/pglite'
import {
  DriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type Transaction,
} from '@prisma/driver-adapter-utils'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { StartError } from '@/lib/server/errors/start-error'
import { PrismaClient } from '../prisma-client/client'
import { applyMigrations } from './apply-migrations'
import { BINARY_BYTES, READ_BYTES } from './binary-bytes'
import type { Database } from './database'
import { type DiskSpace, freeBytes, START_FREE_BYTES, watchDiskSpace } from './disk-space'
import { durableOptions, SMALL_BUFFERS } from './durable-node-fs'
import { lockDataDirectory } from './lock-data-directory'
import { assertOutsideTransaction } from './open-transactions'
import { createPgliteStatements } from './pglite-statements'
import { loadTemplate } from './pglite-template'
import { guardAdapter, inTransaction } from './prisma-adapter'
import type { Migration } from './read-migrations'
import { createQuery } from './row'
import { pgliteSession } from './session'
import { extractTar, filterTar } from './tar'
import { createWriteStop } from './write-stop'

/** Major version of the PostgreSQL inside PGlite; a folder of another one cannot be opened. */
export const PGLITE_MAJOR_VERSION = '18'

const syncPath = async (path: string): Promise<void> => {
  const file = await open(path, constants.O_RDONLY)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

const syncDirectories = async (directory: string): Promise<void> => {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncDirectories(join(directory, entry.name))
  }
  await syncPath(directory)
}

const readVersion = async (cluster: string): Promise<string | null> => {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Built in a temporary folder and renamed, so that a crash leaves no partial cluster under the final name. */
const createCluster = async (cluster: string, template: Buffer): Promise<void> => {
  const unfinished = `${cluster}.new`
  await rm(unfinished, { recursive: true, force: true })
  extractTar(template, unfinished)
  await syncDirectories(unfinished)
  await rename(unfinished, cluster)
  await syncPath(join(cluster, '..'))
}

/** The cluster in `<dataDirectory>/pglite`, made from the template at first start. */
const openCluster = async ({
  dataDirectory,
  template,
}: {
  dataDirectory: string
  template: () => Promise<Buffer>
}): Promise<PGlite> => {
  const cluster = join(dataDirectory, 'pglite')
  const version = await readVersion(cluster)
  if (version === null) await createCluster(cluster, await template())
  else if (version !== PGLITE_MAJOR_VERSION) {
    throw new StartError(
      `The database in ${cluster} was made by PostgreSQL ${version}, but this version of Sliceboard has PostgreSQL ${PGLITE_MAJOR_VERSION}: start the Sliceboard that made it, or use an empty data folder.`,
    )
  }
  try {
    return await PGlite.create(durableOptions(cluster))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(
      `The database in ${cluster} cannot be opened (${reason}): restore the folder from a backup, or start with an empty data folder.`,
    )
  }
}

const asAdapterError = (error: unknown): unknown => {
  if (!(error instanceof messages.DatabaseError)) return error
  return new DriverAdapterError({
    kind: 'postgres',
    code: error.code ?? 'XX000',
    severity: error.severity ?? 'ERROR',
    message: error.message,
    detail: error.detail,
    column: error.column,
    hint: error.hint,
  })
}

// pglite-prisma-adapter 0.7.2 swallows an error of COMMIT itself (a deferred constraint, a full disk): the caller would
// take a rolled back transaction for a committed one.
const startTransaction = async (client: PGlite, isolationLevel?: IsolationLevel): Promise<Transaction> => {
  let outcome: Promise<unknown> = Promise.resolve()
  const recording = new Proxy(client, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property, target)
      if (typeof value !== 'function') return value
      if (property !== 'transaction') return value.bind(target)
      return (...args: Parameters<PGlite['transaction']>) => {
        const result = target.transaction(...args)
        outcome = result
        return result
      }
    },
  })
  const adapter = await new PrismaPGlite(recording).connect()
  const transaction = await adapter.startTransaction(isolationLevel)
  const commit = transaction.commit.bind(transaction)
  transaction.commit = async () => {
    await commit()
    await outcome.catch((error: unknown) => {
      throw asAdapterError(error)
    })
  }
  return transaction
}

/** Prisma on PGlite, with a COMMIT that reports its failure. */
export const createPgliteAdapter = (client: PGlite): SqlDriverAdapterFactory => {
  const factory = new PrismaPGlite(client)
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter: SqlDriverAdapter = await factory.connect()
      adapter.startTransaction = (isolationLevel) => startTransaction(client, isolationLevel)
      return adapter
    },
  }
}

type OpenInput = { cacheDirectory: string; migrations: readonly Migration[] }

/** In memory there is no disk to watch. */
const pgliteDatabase = (
  client: PGlite,
  { diskSpace = null, afterClose }: { diskSpace?: DiskSpace | null; afterClose: () => Promise<void> },
): Database => {
  const runSql = createPgliteStatements(client)
  const writeStop = diskSpace === null ? null : createWriteStop({ client, runSql, diskSpace })
  /** For a statement of a transaction that began while there was disk space. */
  const checkDiskSpace = (): void => {
    if (writeStop?.isOn() === false) diskSpace?.check()
  }
  const prisma = new PrismaClient({
    adapter: guardAdapter(createPgliteAdapter(client), {
      before: async () => writeStop?.followBetween(),
      beforeStatement: checkDiskSpace,
    }),
  })
  const query = createQuery((sql, params) => {
    assertOutsideTransaction()
    // As PGlite's own `query` does: there is one connection, and a transaction must not be open on it.
    return client._runExclusiveTransaction(async () => {
      await writeStop?.follow()
      return runSql(sql, params)
    })
  })
  return {
    kind: 'pglite',
    prisma,
    query,
    history: query,
    transaction: (work) => {
      assertOutsideTransaction()
      return inTransaction(prisma, (transaction, assertOpen) =>
        work({
          prisma: transaction,
          query: createQuery(async (sql, params) => {
            assertOpen()
            checkDiskSpace()
            return runSql(sql, params)
          }),
        }),
      )
    },
    close: async () => {
      writeStop?.end()
      await prisma.$disconnect()
      await client.close()
      await afterClose()
    },
  }
}

/** Of template1 and template0, which have no connections: half of the files, and a quarter of the time to open them. */
const isOfTemplates = (name: string): boolean => /^base\/[14]\/./.test(name)

export const openPgliteMemory = async ({ cacheDirectory, migrations }: OpenInput): Promise<Database> => {
  const whole = await loadTemplate({ cacheDirectory, migrations })
  const template = filterTar(whole, (name) => !isOfTemplates(name))
  const client = await PGlite.create({
    loadDataDir: new Blob([new Uint8Array(template)]),
    startParams: [...PGlite.defaultStartParams, ...SMALL_BUFFERS],
    serializers: BINARY_BYTES,
    parsers: READ_BYTES,
  })
  return pgliteDatabase(client, { afterClose: async () => undefined })
}

const checkStartSpace = (dataDirectory: string): void => {
  const free = freeBytes(dataDirectory)
  if (free >= START_FREE_BYTES) return
  throw new StartError(
    `The disk of the data folder ${dataDirectory} has ${Math.floor(free / 2 ** 20)} MiB free, but the database needs ${START_FREE_BYTES / 2 ** 20} to start: make room, then start again.`,
  )
}

export const openPgliteDirectory = async ({
  dataDirectory,
  cacheDirectory,
  migrations,
  onMigrated,
}: OpenInput & {
  dataDirectory: string
  onMigrated: (names: readonly string[]) => void
}): Promise<Database> => {
  const unlock = await lockDataDirectory(dataDirectory)
  try {
    checkStartSpace(dataDirectory)
    const client = await openCluster({
      dataDirectory,
      template: () => loadTemplate({ cacheDirectory, migrations }),
    })
    onMigrated(await applyMigrations({ session: pgliteSession(client), migrations }))
    return pgliteDatabase(client, { diskSpace: watchDiskSpace(dataDirectory), afterClose: unlock })
  } catch (error) {
    await unlock()
    throw error
  }
}

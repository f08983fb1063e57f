import 'server-only'
import { PGlite } from '@electric-sql/pglite'
import { StartError } from '@/lib/server/errors/start-error'
import { PrismaClient } from '../prisma-client/client'
import { applyMigrations } from './apply-migrations'
import { BINARY_BYTES, READ_BYTES } from './binary-bytes'
import { openCluster } from './cluster-directory'
import type { Database } from './database'
import { type DiskRoom, freeBytes, START_FREE_BYTES, watchDiskRoom } from './disk-room'
import { SMALL_BUFFERS } from './durable-node-fs'
import { lockDataDirectory } from './lock-data-directory'
import { assertOutsideTransaction } from './open-transactions'
import { createPgliteAdapter } from './pglite-adapter'
import { createPgliteStatements } from './pglite-statements'
import { loadTemplate } from './pglite-template'
import { guardAdapter, inTransaction } from './prisma-adapter'
import type { Migration } from './read-migrations'
import { createQuery } from './row'
import { pgliteSession } from './session'
import { filterTar } from './tar'
import { createWriteStop } from './write-stop'

type OpenInput = { cacheDirectory: string; migrations: readonly Migration[] }

/** In memory there is no disk to watch. */
const pgliteDatabase = (
  client: PGlite,
  { room = null, afterClose }: { room?: DiskRoom | null; afterClose: () => Promise<void> },
): Database => {
  const runSql = createPgliteStatements(client)
  const writeStop = room === null ? null : createWriteStop({ client, runSql, room })
  /** For a statement of a transaction that began while there was disk space. */
  const checkRoom = (): void => {
    if (writeStop?.isOn() === false) room?.check()
  }
  const prisma = new PrismaClient({
    adapter: guardAdapter(createPgliteAdapter(client), {
      before: async () => writeStop?.followBetween(),
      beforeStatement: checkRoom,
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
            checkRoom()
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

const checkStartRoom = (dataDirectory: string): void => {
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
    checkStartRoom(dataDirectory)
    const client = await openCluster({
      dataDirectory,
      template: () => loadTemplate({ cacheDirectory, migrations }),
    })
    onMigrated(await applyMigrations({ session: pgliteSession(client), migrations }))
    return pgliteDatabase(client, { room: watchDiskRoom(dataDirectory), afterClose: unlock })
  } catch (error) {
    await unlock()
    throw error
  }
}

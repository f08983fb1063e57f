import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '@/lib/server/database/database'
import { onAdminConnection, withDatabaseName } from '@/lib/server/testing/postgres-admin'

export type BenchDatabase = {
  open: () => Promise<Database>
  /** Settings with which the console opens the same database. */
  env: Record<string, string>
  /** A second process can't open PGlite's folder. */
  isShared: boolean
  /** Another one with the same in it, while this one is closed. */
  copy: () => Promise<BenchDatabase>
  remove: () => Promise<void>
}

const onPostgres = async (serverUrl: string, template = 'template1'): Promise<BenchDatabase> => {
  const name = `sliceboard_bench_${randomBytes(4).toString('hex')}`
  await onAdminConnection(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  return inDatabase(serverUrl, name)
}

const inDatabase = (serverUrl: string, name: string): BenchDatabase => {
  const databaseUrl = withDatabaseName(serverUrl, name)
  return {
    open: () => openDatabase({ databaseUrl, dataDirectory: null }),
    env: { DATABASE_URL: databaseUrl },
    isShared: true,
    copy: () => onPostgres(serverUrl, name),
    remove: () => onAdminConnection(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  }
}

const onPglite = async (): Promise<BenchDatabase> =>
  inFolder(await mkdtemp(join(tmpdir(), 'sliceboard-bench-')))

const inFolder = (folder: string): BenchDatabase => {
  const dataDirectory = join(folder, 'data')
  return {
    open: () => openDatabase({ databaseUrl: null, dataDirectory }),
    env: { DATABASE_URL: '', SLICEBOARD_DATA_DIR: dataDirectory },
    isShared: false,
    copy: async () => {
      const other = await mkdtemp(join(tmpdir(), 'sliceboard-bench-'))
      await cp(dataDirectory, join(other, 'data'), { recursive: true })
      return inFolder(other)
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A database of the benchmark's own: on the given PostgreSQL server, else PGlite in a temporary folder. */
export const createBenchDatabase = (serverUrl: string | null): Promise<BenchDatabase> =>
  serverUrl === null ? onPglite() : onPostgres(serverUrl)

export type StoredDatabase = BenchDatabase & { made: string | null; keep: (made: string) => Promise<void> }

/**
 * One that stays for later runs: on the server, else in the folder. `made`: the argument of `keep` when it was written; null: it
 * is empty, and stays when `keep` is called.
 */
export const openStoredDatabase = async (
  serverUrl: string | null,
  folder: string,
): Promise<StoredDatabase> => {
  const name = 'sliceboard_bench_kept'
  const mark = join(folder, 'made')
  const made = existsSync(mark) ? await readFile(mark, 'utf8') : null
  await mkdir(folder, { recursive: true })
  if (made === null && serverUrl === null) await rm(join(folder, 'data'), { recursive: true, force: true })
  if (made === null && serverUrl !== null) {
    await onAdminConnection(serverUrl, `DROP DATABASE IF EXISTS ${name}`)
    await onAdminConnection(serverUrl, `CREATE DATABASE ${name}`)
  }
  const database = serverUrl === null ? inFolder(folder) : inDatabase(serverUrl, name)
  return { ...database, remove: () => Promise.resolve(), made, keep: (content) => writeFile(mark, content) }
}

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
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
  remove: () => Promise<void>
}

const onPostgres = async (serverUrl: string): Promise<BenchDatabase> => {
  const name = `sliceboard_bench_${randomBytes(4).toString('hex')}`
  await onAdminConnection(serverUrl, `CREATE DATABASE ${name}`)
  const databaseUrl = withDatabaseName(serverUrl, name)
  return {
    open: () => openDatabase({ databaseUrl, dataDirectory: null }),
    env: { DATABASE_URL: databaseUrl },
    isShared: true,
    remove: () => onAdminConnection(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  }
}

const onPglite = async (): Promise<BenchDatabase> => {
  const folder = await mkdtemp(join(tmpdir(), 'sliceboard-bench-'))
  const dataDirectory = join(folder, 'data')
  return {
    open: () => openDatabase({ databaseUrl: null, dataDirectory }),
    env: { DATABASE_URL: '', SLICEBOARD_DATA_DIR: dataDirectory },
    isShared: false,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A database of the benchmark's own: on the given PostgreSQL server, else PGlite in a temporary folder. */
export const createBenchDatabase = (serverUrl: string | null): Promise<BenchDatabase> =>
  serverUrl === null ? onPglite() : onPostgres(serverUrl)

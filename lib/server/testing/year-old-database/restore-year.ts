import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { readTestDatabaseUrl } from '@/lib/server/settings/env'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { onAdminConnection, withDatabaseName } from '../postgres-admin'

/*
 * `year.sql.br` is the database of a demo with a year of history, as the release before whole reports (commit 997c2613) left it on
 * PostgreSQL: `npm run demo -- --hosts 4 --sign-in` of that commit, with DATABASE_URL and the secret below. While it ran, hosts
 * reported differences, and API calls created tokens, webhooks, requests, reviews and changes, of which one was still running
 * at the end. Then `pg_dump --no-owner --no-privileges --rows-per-insert=500`, without psql's own commands, through Brotli.
 */
const DUMP = path.join(import.meta.dirname, 'year.sql.br')

/** What that console sealed secrets with. It protects nothing. */
export const YEAR_SECRET = 'secret-of-the-year-old-database-in-tests'

export const YEAR = {
  cloud: 'paris-prod',
  region: 'RegionOne',
  /** Of the simulated hosts and their cloud. */
  seed: 1,
  hostCount: 4,
  /** Just after the last report. */
  end: new Date('2026-11-26T22:03:30Z'),
}

const readDump = (): string => brotliDecompressSync(readFileSync(DUMP)).toString()

/** Writes the database into `<dataDirectory>/pglite`, where a console without DATABASE_URL opens it. */
export const restoreYearTo = async (dataDirectory: string): Promise<void> => {
  const client = await PGlite.create(path.join(dataDirectory, 'pglite'))
  await client.exec(readDump())
  await client.close()
}

/** How the database is opened, and how it is deleted after it was closed. */
export type RestoredYear = {
  address: { databaseUrl: string | null; dataDirectory: string | null }
  remove: () => Promise<void>
}

/** PGlite in a temporary folder, or a database of PostgreSQL at TEST_DATABASE_URL. */
export const restoreYear = async (): Promise<RestoredYear> => {
  const serverUrl = readTestDatabaseUrl()
  if (serverUrl === null) {
    const dataDirectory = makeTemporaryDirectory('sliceboard-year-')
    await restoreYearTo(dataDirectory)
    return { address: { databaseUrl: null, dataDirectory }, remove: async () => removeTree(dataDirectory) }
  }
  const name = `sliceboard_year_${process.pid}_${randomBytes(4).toString('hex')}`
  const databaseUrl = withDatabaseName(serverUrl, name)
  await onAdminConnection(serverUrl, `CREATE DATABASE ${name}`)
  await onAdminConnection(databaseUrl, readDump())
  return {
    address: { databaseUrl, dataDirectory: null },
    remove: () => onAdminConnection(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  }
}

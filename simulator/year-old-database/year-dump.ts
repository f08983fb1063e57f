import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'

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

export const readDump = (): string => brotliDecompressSync(readFileSync(DUMP)).toString()

/** Writes the database into `<dataDirectory>/pglite`, where a console without DATABASE_URL opens it. */
export const restoreYearTo = async (dataDirectory: string): Promise<void> => {
  const cluster = path.join(dataDirectory, 'pglite')
  mkdirSync(cluster, { recursive: true })
  const client = await PGlite.create(cluster)
  await client.exec(readDump())
  await client.close()
}

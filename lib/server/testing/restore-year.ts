import { randomBytes } from 'node:crypto'
import { readTestDatabaseUrl } from '@/lib/server/settings/env'
import { removeTree } from '@/simulator/testing/remove-tree'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { readDump, restoreYearTo } from '@/simulator/year-old-database/year-dump'
import { onAdminConnection, withDatabaseName } from './postgres-admin'

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

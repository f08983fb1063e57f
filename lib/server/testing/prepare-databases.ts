import { readTestDatabaseUrl } from '@/lib/server/settings/env'
import { openDatabase } from '../database/database'
import { onAdminConnection, TEST_TEMPLATE_NAME, withDatabaseName } from './postgres-admin'

/** Vitest's global setup: builds once what every worker copies. */
export const setup = async (): Promise<void> => {
  const serverUrl = readTestDatabaseUrl()
  if (serverUrl) {
    await onAdminConnection(serverUrl, `DROP DATABASE IF EXISTS ${TEST_TEMPLATE_NAME} WITH (FORCE)`)
    await onAdminConnection(serverUrl, `CREATE DATABASE ${TEST_TEMPLATE_NAME}`)
  }
  const database = await openDatabase({
    databaseUrl: serverUrl && withDatabaseName(serverUrl, TEST_TEMPLATE_NAME),
    dataDirectory: null,
  })
  await database.close()
}

export const teardown = async (): Promise<void> => {
  const serverUrl = readTestDatabaseUrl()
  if (serverUrl) await onAdminConnection(serverUrl, `DROP DATABASE ${TEST_TEMPLATE_NAME} WITH (FORCE)`)
}

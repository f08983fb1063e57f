import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import type { Actor, ServiceContext } from '@/lib/server/context/service-context'
import { LOCAL_ADMIN } from '@/lib/server/context/service-context'
import type { SignIn } from '@/lib/server/context/sign-in'
import type { WebhookMeans } from '@/lib/server/context/webhook-means'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import { readTestDatabaseUrl } from '@/lib/server/settings/env'
import { type Database, openDatabase } from '../database/database'
import { resolveHost } from '../webhook/allowed-address'
import { onAdminConnection, TEST_TEMPLATE_NAME, withDatabaseName } from './postgres-admin'

const createOnPostgres = async (serverUrl: string): Promise<Database> => {
  const name = `sliceboard_test_${process.pid}_${randomBytes(4).toString('hex')}`
  // Its default writes the whole template to the log as well, which takes twice as much of a core, and to drop it thrice.
  await onAdminConnection(
    serverUrl,
    `CREATE DATABASE ${name} TEMPLATE ${TEST_TEMPLATE_NAME} STRATEGY FILE_COPY`,
  )
  const database = await openDatabase({
    databaseUrl: withDatabaseName(serverUrl, name),
    dataDirectory: null,
  })
  return {
    ...database,
    close: async () => {
      await database.close()
      await onAdminConnection(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

/** A fresh migrated database; the caller closes it. PGlite in memory, or PostgreSQL at TEST_DATABASE_URL. */
export const createTestDatabase = async (): Promise<Database> => {
  const serverUrl = readTestDatabaseUrl()
  return serverUrl ? createOnPostgres(serverUrl) : openDatabase({ databaseUrl: null, dataDirectory: null })
}

export const createTestContext = ({
  database,
  actor = LOCAL_ADMIN,
  now = () => new Date(),
  silentAfterSeconds = 120,
  accounts = [],
  signIn = null,
  webhooks = {},
}: {
  database: Database
  actor?: Actor
  now?: () => Date
  silentAfterSeconds?: number
  accounts?: readonly ServiceAccount[]
  signIn?: SignIn | null
  webhooks?: Partial<WebhookMeans>
}): ServiceContext => ({
  database,
  actor,
  now,
  log: pino({ level: 'silent' }),
  requestId: 'test-request',
  silentAfterSeconds,
  samplesEverySeconds: 300,
  staleAfterMs: 300_000,
  approvesChanges: false,
  reviewTimeZone: 'UTC',
  dashboards: [],
  webhooks: {
    box: signIn?.box ?? createSecretBox(['a secret of tests that seals nothing real']),
    named: [],
    consoleUrl: null,
    resolve: resolveHost,
    ...webhooks,
  },
  accounts,
  signIn,
})

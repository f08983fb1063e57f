import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { readTestDatabaseUrl } from '@/lib/server/settings/env'
import { createJoinToken } from '@/lib/services/join-token/create-join-token'
import { type Database, openDatabase } from '../../../database/database'
import { ensureFirstCloud } from '../../../process/ensure-clouds'
import { onAdminConnection, TEST_TEMPLATE_NAME, withDatabaseName } from '../../../testing/postgres-admin'
import { createTestContext } from '../../../testing/test-database'

const CLOUD = 'default'

/** A database that outlives the processes that use it: a PGlite folder, or one on the server of TEST_DATABASE_URL. */
export type CrashDatabase = {
  databaseUrl: string | null
  dataDirectory: string
  /** For many hosts. */
  joinToken: string
  /** Opens it; for PGlite only while no other process has it. */
  open: () => Promise<Database>
  remove: () => Promise<void>
}

export const createCrashDatabase = async (directory: string): Promise<CrashDatabase> => {
  const dataDirectory = path.join(directory, 'data')
  const serverUrl = readTestDatabaseUrl()
  const name = `sliceboard_crash_${process.pid}_${randomBytes(4).toString('hex')}`
  if (serverUrl) await onAdminConnection(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${TEST_TEMPLATE_NAME}`)
  const databaseUrl = serverUrl && withDatabaseName(serverUrl, name)
  const open = () => openDatabase({ databaseUrl, dataDirectory })
  const remove = async () => {
    if (serverUrl) await onAdminConnection(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`)
  }
  const database = await open()
  try {
    await ensureFirstCloud({ database, name: CLOUD, region: null, now: new Date() })
    const { token } = await createJoinToken(createTestContext({ database }), {
      body: { cloud: CLOUD, label: 'crash test', lifetimeMinutes: 60, maxUses: 1000, hostName: null },
      origin: 'http://127.0.0.1:3000',
    })
    return { databaseUrl, dataDirectory, joinToken: token, open, remove }
  } finally {
    await database.close()
  }
}

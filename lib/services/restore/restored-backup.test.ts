import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { startAgentConsole } from '@/lib/server/agent-api/testing/agent-console'
import { verifyAudit } from '@/lib/server/audit/verify-audit'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { type Database, openDatabase } from '@/lib/server/database/database'
import { rootDirectory } from '@/lib/server/settings/root-directory'
import { onAdminConnection, withDatabaseName } from '@/lib/server/testing/postgres-admin'
import { findPostgresBinaries, startPrivatePostgres } from '@/lib/server/testing/private-postgres'
import { createTestContext } from '@/lib/server/testing/test-database'
import { revokeAgent } from '@/lib/services/agent/revoke-agent'
import { createApiToken } from '@/lib/services/api-token/create-api-token'
import { revokeApiToken } from '@/lib/services/api-token/revoke-api-token'
import { exportAudit } from '@/lib/services/audit/export-audit'
import { enrollHost } from '@/lib/services/enrollment/enroll-host'
import { removeHosts } from '@/lib/services/host/remove-hosts'
import { createJoinToken } from '@/lib/services/join-token/create-join-token'
import { revokeJoinToken } from '@/lib/services/join-token/revoke-join-token'
import { addCloud } from '@/lib/services/testing/fleet-rows'

vi.setConfig({ testTimeout: 120_000 })

const run = promisify(execFile)
const binaries = findPostgresBinaries()
const after: (() => unknown)[] = []
afterEach(async () => {
  for (const work of after.splice(0).reverse()) await work()
})

const temporary = async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'sliceboard-restore-'))
  after.push(() => rm(directory, { recursive: true, force: true }))
  return directory
}

const adminOf = (database: Database, log: ServiceContext['log']): ServiceContext => ({
  ...createTestContext({
    database,
    actor: {
      kind: 'user',
      name: 'anna@Default',
      roles: ['admin'],
      account: {
        cloud: 'lab',
        userId: 'u-anna',
        userName: 'anna',
        userDomain: 'Default',
        scope: { kind: 'system' },
        source: { kind: 'session', sessionId: 1, sessionHash: 'h' },
      },
    },
  }),
  log,
})

const createOps = (database: Database) => {
  const lines: string[] = []
  const log = pino(
    new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(String(chunk))
        done()
      },
    }),
  )
  const ctx = adminOf(database, log)
  const enroll = async (hostName: string) => {
    const body = { cloud: 'lab', label: `for ${hostName}`, lifetimeMinutes: 600, maxUses: 2, hostName }
    const { token } = await createJoinToken(ctx, { body, origin: 'http://console' })
    const request = { contractVersion: 1, hostName, agentVersion: '0.1.0' } as const
    return enrollHost(ctx, { token, request, intervalSeconds: 30, address: '10.0.0.1', requester: null })
  }
  const apiToken = (label: string) =>
    createApiToken(ctx, { body: { label, access: 'read', lifetimeDays: 30 } })
  const joinToken = (label: string) =>
    createJoinToken(ctx, {
      body: { cloud: 'lab', label, lifetimeMinutes: 600, maxUses: 5, hostName: null },
      origin: 'http://console',
    })
  return { ctx, enroll, apiToken, joinToken, log: () => lines.join('') }
}

/** What is valid, what is revoked before the backup, and what after it. */
const beforeBackup = async (database: Database) => {
  await addCloud(database, 'lab')
  const ops = createOps(database)
  for (const host of ['cmp-1', 'cmp-2', 'cmp-3', 'cmp-4', 'cmp-5']) await ops.enroll(host)
  for (const label of ['kept', 'leaked', 'old']) await ops.apiToken(label)
  for (const label of ['rack 1', 'rack 2']) await ops.joinToken(label)
  await revokeAgent(ops.ctx, { credentialId: 4 })
  await revokeApiToken(ops.ctx, { id: 3 })
}

const afterBackup = async (database: Database): Promise<{ log: string; audit: string }> => {
  const ops = createOps(database)
  await revokeAgent(ops.ctx, { credentialId: 2 })
  // Installed again: the credential of before is replaced.
  await ops.enroll('cmp-3')
  await removeHosts(ops.ctx, { cloud: 'lab', hosts: ['cmp-5'], reason: 'scrapped', force: false })
  await revokeApiToken(ops.ctx, { id: 2 })
  await revokeJoinToken(ops.ctx, { id: 7 })
  // Created and revoked after the backup: the restored database does not know it.
  await ops.apiToken('later')
  await revokeApiToken(ops.ctx, { id: 4 })
  let audit = ''
  const { parts } = await exportAudit(ops.ctx, {
    cloud: 'lab',
    format: 'jsonl',
    who: null,
    what: null,
    on: null,
    from: null,
    until: null,
  })
  for await (const part of parts) audit += part
  return { log: ops.log(), audit }
}

type DatabaseLocation = { databaseUrl: string | null; dataDirectory: string | null }

const command = async (location: DatabaseLocation, words: string[]) => {
  const env = {
    ...process.env,
    DATABASE_URL: location.databaseUrl ?? '',
    SLICEBOARD_DATA_DIR: location.dataDirectory ?? '',
  }
  const script = ['--tsconfig', 'tsconfig.server.json', 'scripts/revoke-restored.ts', ...words]
  const tsx = path.join(rootDirectory(), 'node_modules/.bin/tsx')
  return run(tsx, script, { env, cwd: rootDirectory() }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

const LISTED = [
  'agent credential 2\tcmp-2\tlab',
  'agent credential 3\tcmp-3\tlab',
  'agent credential 5\tcmp-5\tlab',
  'API token 2\tleaked of anna@Default\tlab',
  'join token 7\track 2\tlab',
]

const listed = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/\trevoked .*/, ''))

const checkRestored = async (location: DatabaseLocation, { log, audit }: { log: string; audit: string }) => {
  const directory = await temporary()
  const logFile = path.join(directory, 'console.log')
  // As journalctl prints it.
  await writeFile(logFile, log.replaceAll(/^/gm, 'Nov 26 15:00:00 host node[1]: '))
  const auditFile = path.join(directory, 'audit.jsonl')
  await writeFile(auditFile, audit)

  // Numbers are given out again: what is created now must not be taken for what was revoked then.
  let restored = await openDatabase(location)
  await createOps(restored).apiToken('a new one')
  await restored.close()

  for (const file of [logFile, auditFile]) {
    const found = await command(location, [file])
    expect([found.code, listed(found.stdout)]).toEqual([1, LISTED])
  }
  const revoked = await command(location, ['--revoke', logFile])
  expect([revoked.code, listed(revoked.stdout)]).toEqual([0, LISTED])
  expect(revoked.stderr).toContain('5 revoked.')
  const again = await command(location, [logFile, auditFile])
  expect([again.code, again.stdout]).toEqual([0, ''])

  restored = await openDatabase(location)
  after.push(() => restored.close())
  const { prisma } = restored
  const valid = { where: { revokedAt: null }, orderBy: { id: 'asc' } } as const
  expect((await prisma.agentCredential.findMany(valid)).map(({ id }) => id)).toEqual([1])
  expect((await prisma.apiToken.findMany(valid)).map(({ label }) => label)).toEqual(['kept', 'a new one'])
  expect((await prisma.joinToken.findMany(valid)).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6])
  const entries = await prisma.auditEntry.findMany({ orderBy: { id: 'desc' }, take: 5 })
  expect(entries.map(({ actor, action }) => `${actor} ${action}`).sort()).toEqual([
    'system agent.revoke',
    'system agent.revoke',
    'system agent.revoke',
    'system api-token.revoke',
    'system join-token.revoke',
  ])
  expect((await verifyAudit(restored.query)).broken).toBeNull()
  // The revoked credential opens nothing on a console with this database.
  const console = await startAgentConsole({ database: restored })
  after.push(console.stop)
  expect((await console.heartbeat(`sbac_2_${'A'.repeat(43)}`, { boot: 1, sequence: 1 }, 'x')).status).toBe(
    401,
  )
}

test('PGlite: the copy of a folder lists exactly what was revoked after it, and one command revokes it', async () => {
  const dataDirectory = path.join(await temporary(), 'data')
  const location = { databaseUrl: null, dataDirectory }
  let database = await openDatabase(location)
  await beforeBackup(database)
  await database.close()
  const copy = path.join(await temporary(), 'copy')
  await cp(dataDirectory, copy, { recursive: true })
  database = await openDatabase(location)
  const known = await afterBackup(database)
  await database.close()
  await checkRestored({ databaseUrl: null, dataDirectory: copy }, known)
})

test.skipIf(binaries === null)('PostgreSQL: so does a restored dump', async () => {
  const folder = binaries ?? ''
  const postgres = await startPrivatePostgres(folder)
  after.push(postgres.stop)
  await onAdminConnection(postgres.url, 'CREATE DATABASE backed_up')
  const databaseUrl = withDatabaseName(postgres.url, 'backed_up')
  const database = await openDatabase({ databaseUrl, dataDirectory: null })
  after.push(() => database.close())
  await beforeBackup(database)
  const dump = path.join(await temporary(), 'sliceboard.dump')
  await run(path.join(folder, 'pg_dump'), ['--format=custom', `--file=${dump}`, databaseUrl])
  const known = await afterBackup(database)
  await onAdminConnection(postgres.url, 'CREATE DATABASE restored')
  const restoredUrl = withDatabaseName(postgres.url, 'restored')
  await run(path.join(folder, 'pg_restore'), [
    '--exit-on-error',
    '--no-owner',
    `--dbname=${restoredUrl}`,
    dump,
  ])
  await checkRestored({ databaseUrl: restoredUrl, dataDirectory: null }, known)
})

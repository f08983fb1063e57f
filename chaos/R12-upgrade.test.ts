import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterEach, expect, test } from 'vitest'
import { startAgentConsole } from '@/lib/server/agent-api/testing/agent-console'
import { auditHash, FIRST_PREV_HASH } from '@/lib/server/audit/audit'
import { verifyAudit } from '@/lib/server/audit/verify-audit'
import { applyMigrations } from '@/lib/server/database/apply-migrations'
import { type Database, openDatabase } from '@/lib/server/database/database'
import { durableOptions } from '@/lib/server/database/durable-node-fs'
import { readMigrations } from '@/lib/server/database/read-migrations'
import { pgliteSession } from '@/lib/server/database/session'
import { rootDirectory } from '@/lib/server/settings/root-directory'
import { compareWithStored, createReporter, REPORTED_HOST } from './testing/reporter'
import { printFacts } from './testing/times'

/** The tables, and the triggers that keep the audit. */
const FIRST_MIGRATIONS = 2
const ENTRIES = 20

let directory = ''
let database: Database | null = null
afterEach(async () => {
  await database?.close()
  await rm(directory, { recursive: true, force: true })
})

const at = new Date('2026-01-02T03:04:05.678Z')

/** A data folder as the first version left it: a cloud, a host that reported, and an audit. */
const createFirstFolder = async (dataDirectory: string): Promise<number> => {
  const migrations = await readMigrations(path.join(rootDirectory(), 'prisma', 'migrations'))
  const cluster = path.join(dataDirectory, 'pglite')
  await mkdir(cluster, { recursive: true })
  const client = await PGlite.create(durableOptions(cluster))
  const first = migrations.slice(0, FIRST_MIGRATIONS)
  await applyMigrations({ session: pgliteSession(client), migrations: first })
  await client.query(`INSERT INTO cloud (name) VALUES ('lab')`)
  await client.query(
    `INSERT INTO host (cloud_id, name, enrolment, boot, sequence, applied_reports, taken_at, seen_at)
     VALUES (1, $1, 1, 3, 40, 100, $2, $2)`,
    [REPORTED_HOST, at],
  )
  let prevHash = FIRST_PREV_HASH
  for (let entry = 1; entry <= ENTRIES; entry += 1) {
    const content = {
      at,
      cloud: null,
      actor: 'user:anna',
      action: 'join-token.create',
      subject: `token:${entry}`,
    }
    const hash = auditHash({ prevHash, content: { ...content, before: null, after: null } })
    await client.query(
      'INSERT INTO audit_entry (at, actor, action, subject, prev_hash, hash) VALUES ($1, $2, $3, $4, $5, $6)',
      [at, content.actor, content.action, content.subject, prevHash, hash],
    )
    prevHash = hash
  }
  await client.close()
  return migrations.length - FIRST_MIGRATIONS
}

test('a data folder of the first version is brought up with its host and its audit, and takes reports', async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'sliceboard-upgrade-'))
  const dataDirectory = path.join(directory, 'data')
  const missing = await createFirstFolder(dataDirectory)
  database = await openDatabase({ databaseUrl: null, dataDirectory })
  expect(await database.query('SELECT name, boot, sequence, applied_reports AS reports FROM host')).toEqual([
    { name: REPORTED_HOST, boot: 3, sequence: 40, reports: 100 },
  ])
  expect(await verifyAudit(database.query)).toMatchObject({ entries: ENTRIES, broken: null })
  const console = await startAgentConsole({ database })
  const reporter = await createReporter(console)
  for (let report = 0; report < 5; report += 1) expect((await reporter.send()).status).toBe(200)
  await console.stop()
  const [host] = await database.query('SELECT sequence, applied_reports AS reports FROM host')
  expect(host).toEqual({ sequence: 5, reports: 105 })
  expect((await verifyAudit(database.query)).broken).toBeNull()
  // Control: the check of what is stored misses a report that never came.
  const ahead = { ...reporter, acknowledged: () => 106 }
  expect(await compareWithStored(database, [ahead])).toContain(
    `${REPORTED_HOST}: 106 reports acknowledged, 105 stored`,
  )
  printFacts('R12', { upgraded: 'from the first two migrations', applied: missing, auditEntries: ENTRIES })
})

import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startAgentConsole } from '@/lib/server/agent-api/testing/agent-console'
import { verifyAudit } from '@/lib/server/audit/verify-audit'
import { type Database, openDatabase } from '@/lib/server/database/database'
import { onAdminConnection, withDatabaseName } from '@/lib/server/testing/postgres-admin'
import {
  findPostgresBinaries,
  startPrivatePostgres,
  unprivilegedUser,
} from '@/lib/server/testing/private-postgres'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { compareWithStored, createReporter, REPORTED_HOST, waitFor } from './testing/reporter'
import { canMount, createSmallDisk, type SmallDisk } from './testing/small-disk'
import { chaosTimes, printFacts } from './testing/times'

const TIMES = chaosTimes({ short: 2, long: 100 })
const isUnable = !canMount()
const binaries = findPostgresBinaries()

let disk: SmallDisk | null = null
const after: (() => unknown)[] = []
afterEach(async () => {
  try {
    for (const work of after.splice(0).reverse()) await work()
  } finally {
    disk?.remove()
    disk = null
  }
})

const mountDisk = (mib: number): SmallDisk => {
  disk = createSmallDisk(mib)
  if (disk === null) throw new Error('a disk was mounted a moment ago, and now none can be')
  return disk
}

/** Fills the disk under a console, sees what it answers, frees it, and sees it continue; again and again. */
const playFullDisk = async ({
  engine,
  on,
  open,
  left,
}: {
  engine: string
  on: SmallDisk
  open: () => Promise<Database>
  /** How much is left when it is full, by turns. */
  left: readonly number[]
}) => {
  const database = await open()
  // Closed already where all went well.
  after.push(() => database.close().catch(() => undefined))
  await addCloud(database, 'lab')
  const console = await startAgentConsole({ database })
  const reporter = await createReporter(console)
  const refusals = new Set<string>()
  for (let round = 0; round < TIMES; round += 1) {
    expect((await reporter.send()).status).toBe(200)
    on.fillTo(left[round % left.length] ?? 0)
    const refused = await waitFor(reporter.send, ({ status }) => status !== 200)
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '30' } })
    refusals.add(refused.body.error.message)
    // Prisma has its own way to the database.
    expect(await database.query('SELECT name FROM host')).toEqual([{ name: REPORTED_HOST }])
    expect(await database.prisma.host.count()).toBe(1)
    expect((await verifyAudit(database.query)).broken).toBeNull()
    on.clear()
    expect((await waitFor(reporter.send, ({ status }) => status === 200)).status).toBe(200)
  }
  expect(await compareWithStored(database, [reporter])).toEqual([])
  await console.stop()
  await database.close()
  const again = await open()
  expect(await compareWithStored(again, [reporter])).toEqual([])
  expect((await verifyAudit(again.query)).broken).toBeNull()
  await again.close()
  printFacts('R6', { engine, fills: TIMES, acknowledged: reporter.acknowledged(), refusals: [...refusals] })
}

test.skipIf(isUnable)(
  `PGlite, ${TIMES} full disks: 503 with Retry-After, reading continues, nothing is lost, and it recovers automatically`,
  async () => {
    const on = mountDisk(224)
    const dataDirectory = path.join(on.directory, 'data')
    const open = () => openDatabase({ databaseUrl: null, dataDirectory })
    await playFullDisk({ engine: 'PGlite', on, open, left: [30, 0.5] })
  },
)

test.skipIf(isUnable || binaries === null)(`PostgreSQL, ${TIMES} full disks: the same`, async () => {
  const postgres = await startPrivatePostgres(binaries ?? '')
  after.push(postgres.stop)
  const on = mountDisk(64)
  const folder = path.join(on.directory, 'tables')
  mkdirSync(folder)
  const user = unprivilegedUser()
  if (user) chownSync(folder, user.uid, user.gid)
  await onAdminConnection(postgres.url, `CREATE TABLESPACE small LOCATION '${folder}'`)
  await onAdminConnection(postgres.url, 'CREATE DATABASE full_disk TABLESPACE small')
  const databaseUrl = withDatabaseName(postgres.url, 'full_disk')
  const open = () => openDatabase({ databaseUrl, dataDirectory: null })
  await playFullDisk({ engine: 'PostgreSQL', on, open, left: [0] })
})

test.skipIf(isUnable)('a start on a full disk reports that instead of hanging', async () => {
  const on = mountDisk(48)
  on.fillTo(20)
  const dataDirectory = path.join(on.directory, 'data')
  await expect(openDatabase({ databaseUrl: null, dataDirectory })).rejects.toThrow(
    /has (19|20) MiB free, but the database needs 40 to start: make room, then start again\.$/,
  )
})

test.skipIf(isUnable)('control: without the reserved space, PGlite does not survive', () => {
  const on = mountDisk(96)
  const program = ['--import', 'tsx', 'chaos/testing/fill-log.ts', on.directory]
  const { stdout, status } = spawnSync(process.execPath, program, { encoding: 'utf8', timeout: 30_000 })
  expect(stdout).toContain('filling the log')
  expect(stdout).not.toContain('still answers')
  expect(status).not.toBe(0)
})

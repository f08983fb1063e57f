import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { startAgentConsole } from '@/lib/server/agent-api/testing/agent-console'
import { createCrashDatabase } from '@/lib/server/agent-api/testing/crash/crash-database'
import { bundleEntry, startProcess } from '@/lib/server/agent-api/testing/crash/crash-process'
import { verifyAudit } from '@/lib/server/audit/verify-audit'
import { type Database, openDatabase } from '@/lib/server/database/database'
import { onAdminConnection, withDatabaseName } from '@/lib/server/testing/postgres-admin'
import { findPostgresBinaries, startPrivatePostgres } from '@/lib/server/testing/private-postgres'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { createRemoteConsole } from './testing/remote-console'
import {
  compareWithStored,
  createReporter,
  type Reporter,
  type ReportingConsole,
  waitFor,
} from './testing/reporter'
import { chaosTimes, printFacts } from './testing/times'

const run = promisify(execFile)
const TIMES = chaosTimes({ short: 2, long: 30 })
const HOSTS = 4
const binaries = findPostgresBinaries()

const after: (() => unknown)[] = []
afterEach(async () => {
  for (const work of after.splice(0).reverse()) await work()
})

const temporary = async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'sliceboard-backup-'))
  after.push(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Hosts that report as fast as they are answered until `stop`. */
const reportOn = async (console: ReportingConsole) => {
  const reporters: Reporter[] = []
  for (let host = 1; host <= HOSTS; host += 1) reporters.push(await createReporter(console, `cmp-${host}`))
  let isOver = false
  const loads = Promise.all(
    reporters.map(async ({ send }) => {
      while (!isOver) expect((await send()).status).toBe(200)
    }),
  )
  const stop = async () => {
    isOver = true
    await loads
  }
  after.push(() => stop().catch(() => undefined))
  /** Some reports later. */
  const more = async () => {
    const from = reporters.map((reporter) => reporter.acknowledged())
    const isEnough = () =>
      reporters.every((reporter, host) => reporter.acknowledged() > (from[host] ?? 0) + 4)
    expect(await waitFor(async () => isEnough(), Boolean)).toBe(true)
  }
  return { reporters, stop, more }
}

/** What was acknowledged at a moment, for the check of a copy that is made after it. */
const asOfNow = (reporters: readonly Reporter[]) =>
  reporters.map((reporter) => ({ ...reporter, reportedUpTo: reporter.acknowledged() }))

/** What a restored copy lacks of what was acknowledged before it was begun, and what in it does not hold together. */
const checkCopy = async (copy: Database, before: ReturnType<typeof asOfNow>): Promise<string[]> => {
  const violations = await Promise.all(
    before.map(async ({ reportedUpTo, ...reporter }) => {
      const found = await compareWithStored(copy, [{ ...reporter, acknowledged: () => reportedUpTo }])
      // More than was acknowledged then is in it: the copy was made while reports came.
      return found.filter((violation) => !/: \d+ stored, \d+ acknowledged$/.test(violation))
    }),
  )
  const { broken } = await verifyAudit(copy.query)
  return [...violations.flat(), ...(broken === null ? [] : [`the audit is broken at ${broken.id}`])]
}

test(`PGlite is copied ${TIMES} times while agents report, and each copy holds all that was acknowledged`, async () => {
  const directory = await temporary()
  const target = await createCrashDatabase(directory)
  const file = await bundleEntry(
    new URL('../lib/server/agent-api/testing/crash/crash-server.ts', import.meta.url),
  )
  after.push(() => rm(file, { force: true }))
  const server = startProcess(file, { ...target, databaseUrl: null, isAcknowledgingEarly: false })
  after.push(() => server.kill())
  const [, port] = await server.announced(/listens on (\d+)/)
  const load = await reportOn(createRemoteConsole(`http://127.0.0.1:${port}`, target.joinToken))
  for (let round = 0; round < TIMES; round += 1) {
    await load.more()
    const before = asOfNow(load.reporters)
    const copy = path.join(directory, `copy-${round}`)
    await run('scripts/back-up-folder.sh', [target.dataDirectory, copy])
    const restored = await openDatabase({ databaseUrl: null, dataDirectory: copy })
    try {
      expect(await checkCopy(restored, before)).toEqual([])
      // Control: the same check misses what came after the copy.
      await load.more()
      const later = asOfNow(load.reporters)
      expect((await checkCopy(restored, later)).join('\n')).toMatch(/reports acknowledged, \d+ stored/)
    } finally {
      await restored.close()
    }
    await rm(copy, { recursive: true })
  }
  await load.stop()
  printFacts('R12', {
    engine: 'PGlite',
    copies: TIMES,
    acknowledged: load.reporters.map((reporter) => reporter.acknowledged()),
  })
})

test.skipIf(binaries === null)(
  `PostgreSQL is dumped ${TIMES} times while agents report, and each restored database holds all that was acknowledged`,
  async () => {
    const folder = binaries ?? ''
    const postgres = await startPrivatePostgres(folder)
    after.push(postgres.stop)
    await onAdminConnection(postgres.url, 'CREATE DATABASE backed_up')
    const databaseUrl = withDatabaseName(postgres.url, 'backed_up')
    const database = await openDatabase({ databaseUrl, dataDirectory: null })
    after.push(() => database.close())
    await addCloud(database, 'lab')
    const console = await startAgentConsole({ database })
    after.push(console.stop)
    const load = await reportOn(console)
    const dump = path.join(await temporary(), 'sliceboard.dump')
    for (let round = 0; round < TIMES; round += 1) {
      await load.more()
      const before = asOfNow(load.reporters)
      await run(path.join(folder, 'pg_dump'), ['--format=custom', `--file=${dump}`, databaseUrl])
      const name = `restored_${round}`
      await onAdminConnection(postgres.url, `CREATE DATABASE ${name}`)
      const restoredUrl = withDatabaseName(postgres.url, name)
      await run(path.join(folder, 'pg_restore'), [
        '--exit-on-error',
        '--no-owner',
        `--dbname=${restoredUrl}`,
        dump,
      ])
      const restored = await openDatabase({ databaseUrl: restoredUrl, dataDirectory: null })
      expect(await checkCopy(restored, before)).toEqual([])
      await load.more()
      expect((await checkCopy(restored, asOfNow(load.reporters))).join('\n')).toMatch(/reports acknowledged/)
      await restored.close()
      await onAdminConnection(postgres.url, `DROP DATABASE ${name} WITH (FORCE)`)
    }
    await load.stop()
    printFacts('R12', {
      engine: 'PostgreSQL',
      dumps: TIMES,
      acknowledged: load.reporters.map((reporter) => reporter.acknowledged()),
    })
  },
)

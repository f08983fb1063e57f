import { chownSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startAgentConsole } from '@/lib/server/agent-api/testing/agent-console'
import { verifyAudit } from '@/lib/server/audit/verify-audit'
import { openDatabase } from '@/lib/server/database/database'
import { onAdminConnection, withDatabaseName } from '@/lib/server/testing/postgres-admin'
import {
  findPostgresBinaries,
  startPrivatePostgres,
  unprivilegedUser,
} from '@/lib/server/testing/private-postgres'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import { compareWithStored, createReporter, waitFor } from './testing/reporter'
import { canMount, createSmallDisk, type SmallDisk } from './testing/small-disk'
import { chaosTimes, printFacts } from './testing/times'

const TIMES = chaosTimes({ short: 2, long: 50 })
const binaries = findPostgresBinaries()

/** A folder of the disk that PostgreSQL may write in. */
const folderOf = (disk: SmallDisk): string => {
  const folder = path.join(disk.directory, 'log')
  mkdirSync(folder)
  const user = unprivilegedUser()
  if (user) chownSync(folder, user.uid, user.gid)
  return folder
}

const playFullLog = async (disk: SmallDisk) => {
  const postgres = await startPrivatePostgres(binaries ?? '', {
    isDurable: true,
    logDirectory: folderOf(disk),
  })
  try {
    await onAdminConnection(postgres.url, 'CREATE DATABASE full_log')
    const databaseUrl = withDatabaseName(postgres.url, 'full_log')
    const database = await openDatabase({ databaseUrl, dataDirectory: null })
    await addCloud(database, 'lab')
    const console = await startAgentConsole({ database })
    const reporter = await createReporter(console)
    const refusals = new Set<string>()
    /** The next file of the log, which finds no space; where PostgreSQL has stopped already, nothing answers. */
    const sendIntoNextFile = async () => {
      await onAdminConnection(postgres.url, 'SELECT pg_switch_wal()').catch(() => undefined)
      return reporter.send()
    }
    for (let round = 0; round < TIMES; round += 1) {
      expect((await reporter.send()).status).toBe(200)
      disk.fillTo(0)
      const refused = await waitFor(sendIntoNextFile, ({ status }) => status !== 200)
      refusals.add(`${refused.status}, again in ${refused.headers['retry-after']} s`)
      expect((await reporter.send()).status).toBe(503)
      disk.clear()
      await postgres.breakOff()
      expect((await waitFor(reporter.send, ({ status }) => status === 200)).status).toBe(200)
    }
    const violations = await compareWithStored(database, [reporter])
    const audit = await verifyAudit(database.query)
    await console.stop()
    await database.close()
    return { violations, audit, refusals: [...refusals], acknowledged: reporter.acknowledged() }
  } finally {
    await postgres.stop()
  }
}

test.skipIf(!canMount() || binaries === null)(
  `PostgreSQL stops ${TIMES} times on a full disk under its log: 503 until it is started again, and nothing is lost`,
  async () => {
    const disk = createSmallDisk(48)
    if (disk === null) throw new Error('a disk was mounted a moment ago, and now none can be')
    try {
      const { violations, audit, refusals, acknowledged } = await playFullLog(disk)
      printFacts('R6', { engine: 'PostgreSQL, its log', fills: TIMES, acknowledged, refusals })
      expect(violations).toEqual([])
      expect(audit.broken).toBeNull()
      expect(refusals.filter((refusal) => !/^503, again in \d+ s$/.test(refusal))).toEqual([])
    } finally {
      disk.remove()
    }
  },
)

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cloudsYaml } from '@/e2e/world/clouds-yaml'
import { pgArray } from '@/lib/server/database/pg-array'
import { findPostgresBinaries, startPrivatePostgres } from '@/lib/server/testing/private-postgres'
import { type BenchDatabase, createBenchDatabase } from '../fleet/open-bench-database'
import { type MeasuredConsole, runConsole } from './run-console'
import { seedDatabase } from './seed-database'
import { type CloudSize, SIZES, type SizeName } from './sizes'
import { type CloudProcess, startCloud } from './start-cloud'
import { isSilentHost, SILENT_FOR_MS } from './world/silent-hosts'

/** A cloud whose hosts have reported; no console has read it yet. */
export type PreparedWorld = {
  size: CloudSize
  bench: BenchDatabase
  cloud: CloudProcess
  /** A console on this cloud. One at a time. */
  start: (options?: { intervalSeconds?: number }) => Promise<MeasuredConsole>
  /** Ends everything that still runs. */
  stop: () => Promise<void>
}

const silenceHosts = async (bench: BenchDatabase, count: number): Promise<void> => {
  const database = await bench.open()
  const silent = Array.from({ length: count }, (_, host) => host).filter(isSilentHost)
  await database.query(
    `UPDATE host SET seen_at = seen_at - $1 * interval '1 ms', taken_at = taken_at - $1 * interval '1 ms'
     WHERE id IN (SELECT host_id FROM agent_credential WHERE id - 1 = ANY($2::int[]))`,
    [SILENT_FOR_MS, pgArray(silent)],
  )
  await database.close()
}

export const prepareWorld = async (name: SizeName): Promise<PreparedWorld> => {
  const size = SIZES[name]
  const binaries = findPostgresBinaries()
  if (binaries === null) throw new Error('No PostgreSQL is installed here: install the package postgresql.')
  const ends: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  try {
    const folder = mkdtempSync(path.join(tmpdir(), 'sliceboard-bench-'))
    ends.push(async () => rmSync(folder, { recursive: true, force: true }))
    const postgres = await startPrivatePostgres(binaries, { isDurable: true })
    ends.push(postgres.stop)
    const cloud = await startCloud(name)
    ends.push(cloud.stop)
    const bench = await createBenchDatabase(postgres.url)
    const database = await bench.open()
    await seedDatabase(database, size)
    await database.close()
    const cloudsFile = path.join(folder, 'clouds.yaml')
    writeFileSync(cloudsFile, cloudsYaml(cloud.authUrl), { mode: 0o600 })
    const run = async (options: Parameters<typeof runConsole>[1]): Promise<MeasuredConsole> => {
      const console = await runConsole(bench, options)
      ends.push(console.stop)
      return console
    }
    const reported = await run({ cloudsFile: null })
    await cloud.report(reported.port)
    await reported.stop()
    await silenceHosts(bench, size.hosts)
    return { size, bench, cloud, start: (options = {}) => run({ cloudsFile, ...options }), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

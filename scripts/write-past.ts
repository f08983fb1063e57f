/**
 * Process entry: a year of history for the demo's database, which must not be there yet. Its one argument is JSON. Bundled to
 * dist/write-past.mjs, since it works while the simulator writes its trees.
 */
import { renameSync, rmSync } from 'node:fs'
import { openDatabase } from '../lib/server/database/database'
import { writePast } from '../lib/services/history/testing/write-past'
import { writeUsage } from '../lib/services/history/testing/write-usage'
import { DEMO_CLOUD } from '../simulator/demo-fleet/demo-fleet'
import { makePast } from '../simulator/past/make-past'
import { chooseWorld } from '../simulator/process/run-simulator'

export type WritePastSettings = {
  /** Where the database will stand; it is made beside it, so that a half one is never taken for whole. */
  dataDirectory: string
  simulatorDirectory: string
  seed: number
  hostCount: number | null
  /** ISO 8601. `startAt`: of the simulated world. `endAt`: when the agents' first reports are awaited. */
  startAt: string
  endAt: string
}

const settings = JSON.parse(process.argv[2] ?? '{}') as WritePastSettings
const { dataDirectory, seed, hostCount } = settings

const { fleet } = chooseWorld({
  directory: settings.simulatorDirectory,
  seed,
  startAt: new Date(settings.startAt),
  ...(hostCount === null ? {} : { hostCount }),
})
const unfinished = `${dataDirectory}.new`
rmSync(unfinished, { recursive: true, force: true })
const database = await openDatabase({ databaseUrl: null, dataDirectory: unfinished })
const past = makePast({ fleet, seed, end: new Date(settings.endAt) })
await writeUsage(database, await writePast(database, past, DEMO_CLOUD), { past, fleet })
await database.close()
renameSync(unfinished, dataDirectory)

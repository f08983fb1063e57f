/**
 * Process entry: a year of history for the demo's database, which must not be there yet. Its one argument is JSON. Bundled to
 * dist/write-past.mjs, since it works while the simulator writes its trees.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { openDatabase } from '../lib/server/database/database'
import { appendPast } from '../lib/services/history/testing/append-past'
import { writePast } from '../lib/services/history/testing/write-past'
import { writePastEvents } from '../lib/services/history/testing/write-past-events'
import { writeUsage } from '../lib/services/history/testing/write-usage'
import { DEMO_CLOUD } from '../simulator/demo-fleet/demo-fleet'
import { continuePast, makePast } from '../simulator/past/make-past'
import { makePastChanges } from '../simulator/past/past-changes'
import { makePastFindings } from '../simulator/past/past-findings'
import { lastLimits } from '../simulator/past/past-limits'
import { chooseWorld } from '../simulator/process/run-simulator'
import { copyDatabase, keepTemplate, type PastTemplate } from './demo-run/past-template'

export type WritePastSettings = {
  /** Where the database will be; it is created next to it, so that a half one is never taken for whole. */
  dataDirectory: string
  simulatorDirectory: string
  /** JSON: the limits on class VGPU in which the past ends, by the project's id. */
  limitsFile: string
  seed: number
  hostCount: number | null
  /** ISO 8601. `startAt`: of the simulated world. `endAt`: when the agents' first reports are awaited. */
  startAt: string
  endAt: string
  /** Its end is gone on from; null: the year is written. */
  template: PastTemplate | null
  /** Where a written year is kept for the next time; null: nowhere. */
  keepIn: string | null
}

const settings = JSON.parse(process.argv[2] ?? '{}') as WritePastSettings
const { dataDirectory, seed, hostCount, startAt, template } = settings
const end = new Date(settings.endAt)

const { fleet } = chooseWorld({
  directory: settings.simulatorDirectory,
  seed,
  startAt: new Date(startAt),
  ...(hostCount === null ? {} : { hostCount }),
})
const unfinished = `${dataDirectory}.new`
rmSync(unfinished, { recursive: true, force: true })

type Limits = PastTemplate['limits']

const writeYear = async (): Promise<Limits> => {
  const database = await openDatabase({ databaseUrl: null, dataDirectory: unfinished })
  const past = makePast({ fleet, seed, end })
  const content = { past, fleet, cloud: DEMO_CLOUD }
  const changes = await makePastChanges(content)
  const findings = await makePastFindings(content, changes)
  const written = await writePast(database, past, DEMO_CLOUD)
  await writePastEvents(database, { id: written.cloudId, ...DEMO_CLOUD }, { changes, findings })
  await writeUsage(database, written, { past, fleet })
  await database.close()
  return lastLimits(past.limits)
}

const goOn = async ({ dataDirectory: from, endAt, limits }: PastTemplate): Promise<Limits> => {
  copyDatabase(from, unfinished)
  const database = await openDatabase({ databaseUrl: null, dataDirectory: unfinished })
  const past = continuePast({ fleet, seed, begin: new Date(endAt), end })
  await appendPast(database, { past, fleet, cloud: DEMO_CLOUD.name })
  await database.close()
  return limits
}

const limits = await (template === null ? writeYear() : goOn(template))
if (template === null && settings.keepIn !== null)
  keepTemplate(settings.keepIn, { dataDirectory: unfinished, startAt, endAt: settings.endAt, limits })
writeFileSync(settings.limitsFile, JSON.stringify(limits))
renameSync(unfinished, dataDirectory)

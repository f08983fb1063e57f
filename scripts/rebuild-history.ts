/** `npm run history:rebuild`: recalculates the roll-ups of the history from the changes and minutes that are kept. */
import { existsSync } from 'node:fs'
import { openDatabase } from '../lib/server/database/database'
import { StartError } from '../lib/server/errors/start-error'
import { readEnv } from '../lib/server/settings/env'
import { rebuildAndRollUp } from '../lib/services/roll-up/rebuild-roll-ups'
import { rebuildPages } from '../lib/services/utilization/rebuild-pages'

const DAY_MS = 86_400_000

try {
  const env = readEnv()
  // A mistyped folder would be made, and be empty.
  if (env.databaseUrl === null && !existsSync(env.dataDirectory))
    throw new StartError(
      `There is no folder ${env.dataDirectory}, so there is no history: set SLICEBOARD_DATA_DIR or DATABASE_URL as the console has it.`,
    )
  const database = await openDatabase(env)
  const since = (days: number) => new Date(Math.floor(Date.now() / DAY_MS - days) * DAY_MS)
  const clouds = await rebuildAndRollUp(database, {
    changesSince: since(env.keepChangesDays),
    hoursSince: since(env.keepHoursDays),
  })
  await rebuildPages(database, {
    minutesSince: since(env.keepMinutesDays),
    groupsSince: since(Math.min(env.keepChangesDays, env.keepHoursDays, env.keepVgpuHoursDays)),
  })
  await database.close()
  console.log(`The roll-ups of ${clouds} cloud${clouds === 1 ? '' : 's'} are recalculated.`)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/** `npm run audit:verify`: checks the chain of the audit. Exit code 1 when it is broken. */
import { existsSync } from 'node:fs'
import { verifyAudit } from '../lib/server/audit/verify-audit'
import { openDatabase } from '../lib/server/database/database'
import { StartError } from '../lib/server/errors/start-error'
import { readEnv } from '../lib/server/settings/env'

/** A mistyped folder would be made, be empty, and hold. */
const checkFolder = ({ databaseUrl, dataDirectory }: ReturnType<typeof readEnv>): void => {
  if (databaseUrl !== null || existsSync(dataDirectory)) return
  throw new StartError(
    `There is no folder ${dataDirectory}, so there is no audit to check: set SLICEBOARD_DATA_DIR or DATABASE_URL as the console has it.`,
  )
}

try {
  const env = readEnv()
  checkFolder(env)
  const database = await openDatabase(env)
  const { entries, head, broken } = await verifyAudit(database.query)
  await database.close()
  if (broken) {
    console.error(
      `The audit is broken at entry ${broken.id}: ${broken.reason}. ${entries} entries before it hold.`,
    )
    process.exitCode = 1
  } else {
    console.log(`The audit holds: ${entries} entries, the last has the hash ${head}.`)
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

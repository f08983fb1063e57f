/** `npm run audit:verify`: checks the chain of the audit. Exit code 1 when it is broken. */
import { openDatabase } from '../lib/server/database/database'
import { readEnv } from '../lib/server/env'
import { StartError } from '../lib/server/start-error'
import { verifyAudit } from '../lib/server/verify-audit'

try {
  const database = await openDatabase(readEnv())
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

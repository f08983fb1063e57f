/**
 * `npm run credentials:revoke -- [--revoke] [FILE…]`: after a backup was restored, lists the credentials that were revoked later
 * than the backup, by the console's log or an exported audit (JSON lines; without FILE from standard input). With --revoke it
 * revokes them. Exit code 1 while there are some.
 */
import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { openDatabase } from '../lib/server/database/database'
import { StartError } from '../lib/server/errors/start-error'
import { readEnv } from '../lib/server/settings/env'
import { type Revocation, readRevocations } from '../lib/services/restore/read-revocations'
import {
  findRevivedCredentials,
  type RevivedCredential,
  revokeRevivedCredentials,
} from '../lib/services/restore/revived-credentials'

const words = process.argv.slice(2)
const files = words.filter((word) => !word.startsWith('--'))
const doesRevoke = words.includes('--revoke')

const checkArguments = (): void => {
  const unknown = words.find((word) => word.startsWith('--') && word !== '--revoke')
  if (unknown !== undefined)
    throw new StartError(`"${unknown}" is not an option: npm run credentials:revoke -- [--revoke] [FILE…]`)
  const missing = files.find((file) => !existsSync(file))
  if (missing !== undefined) throw new StartError(`There is no file ${missing}.`)
}

const readAll = async (): Promise<{ revocations: Revocation[]; lines: number }> => {
  const revocations: Revocation[] = []
  let lines = 0
  const inputs = files.length === 0 ? [process.stdin] : files.map((file) => createReadStream(file))
  for (const input of inputs)
    for await (const line of createInterface({ input })) {
      lines += 1
      revocations.push(...readRevocations(line))
    }
  return { revocations, lines }
}

const KINDS: Readonly<Record<RevivedCredential['kind'], string>> = {
  'agent-credential': 'agent credential',
  'api-token': 'API token',
  'join-token': 'join token',
}

const print = ({ kind, id, name, cloud, at }: RevivedCredential): void =>
  console.log(`${KINDS[kind]} ${id}\t${name}\t${cloud}\trevoked ${at.toISOString()}`)

const run = async (): Promise<void> => {
  checkArguments()
  const env = readEnv()
  if (env.databaseUrl === null && !existsSync(env.dataDirectory))
    throw new StartError(
      `There is no folder ${env.dataDirectory}: set SLICEBOARD_DATA_DIR or DATABASE_URL as the console has it.`,
    )
  const { revocations, lines } = await readAll()
  const database = await openDatabase(env)
  try {
    const now = new Date()
    const revived = await findRevivedCredentials(database, { revocations, now })
    console.error(`${lines} lines read, ${revocations.length} revocations found.`)
    for (const one of revived) print(one)
    if (doesRevoke)
      await database.transaction((connection) => revokeRevivedCredentials(connection, { revived, now }))
    console.error(
      revocations.length === 0
        ? 'Nothing was compared: the input has no revocation. Pass the log of each console since the backup, or an exported audit.'
        : revived.length === 0
          ? 'No credential is valid that was revoked.'
          : doesRevoke
            ? `${revived.length} revoked.`
            : `${revived.length} valid although they were revoked. Run the command with --revoke to revoke them.`,
    )
    process.exitCode = revived.length > 0 && !doesRevoke ? 1 : 0
  } finally {
    await database.close()
  }
}

await run().catch((error: unknown) => {
  if (!(error instanceof StartError)) throw error
  console.error(error.message)
  process.exitCode = 2
})

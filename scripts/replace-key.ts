/** `npm run key:replace -- secret` or `-- signing-key [--cloud NAME]`, with `--yes` in scripts. */
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '../lib/server/database/database'
import { describeDatabase } from '../lib/server/database/describe-database'
import { StartError } from '../lib/server/errors/start-error'
import { readSecrets } from '../lib/server/secrets/load-secrets'
import { type Env, readEnv } from '../lib/server/settings/env'
import { type KeyReplacement, planSecretReplacement } from '../lib/services/console-secret/replace-secret'
import { planSigningKeyReplacement } from '../lib/services/console-secret/replace-signing-key'

const USAGE = `Usage: npm run key:replace -- secret [--yes]
       npm run key:replace -- signing-key [--cloud NAME] [--yes]

  secret       make the configured SLICEBOARD_SECRET the secret of the database, when the earlier one is lost
  signing-key  give a cloud (default: every cloud) a new key that signs the commands to its hosts
  --yes        do not ask for confirmation
To rotate a secret that is known, start the consoles with the new one in front of it instead: SLICEBOARD_SECRET="NEW OLD".`

const readArguments = () => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { cloud: { type: 'string' }, yes: { type: 'boolean', default: false } },
    })
    const [what, ...rest] = positionals
    if (rest.length > 0 || (what !== 'secret' && what !== 'signing-key')) throw new StartError(USAGE)
    if (what === 'secret' && values.cloud !== undefined) throw new StartError(USAGE)
    return { what, cloud: values.cloud ?? null, isConfirmed: values.yes }
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  }
}

const checkFolder = ({ databaseUrl, dataDirectory }: Env): void => {
  if (databaseUrl !== null || existsSync(dataDirectory)) return
  throw new StartError(
    `The folder ${dataDirectory} does not exist: set SLICEBOARD_DATA_DIR or DATABASE_URL as for the console.`,
  )
}

const confirm = async (env: Env, { consequences }: KeyReplacement): Promise<boolean> => {
  if (!process.stdin.isTTY)
    throw new StartError(
      'Standard input is no terminal, so there is no confirmation: repeat the command with --yes.',
    )
  const reader = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await reader.question(
    `${consequences.length === 1 ? 'Accept this' : 'Accept these'} for the database ${describeDatabase(env)}? [y/N] `,
  )
  reader.close()
  return /^y(es)?$/i.test(answer.trim())
}

const replace = async (): Promise<void> => {
  const { what, cloud, isConfirmed } = readArguments()
  const env = readEnv()
  checkFolder(env)
  await readSecrets(env)
  const database = await openDatabase(env)
  try {
    const input = { database, env, now: () => new Date() }
    const plan =
      what === 'secret'
        ? await planSecretReplacement(input)
        : await planSigningKeyReplacement(input, { cloud })
    console.log(plan.consequences.join('\n'))
    if (plan.apply === null) return
    if (isConfirmed || (await confirm(env, plan))) console.log(await plan.apply())
    else console.log('Nothing was changed.')
  } finally {
    await database.close()
  }
}

try {
  await replace()
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/** `npm run host:remove -- --cloud X --reason R [--force] HOST…`: removes hosts, as the page does. */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { ServiceContext } from '../lib/server/context/service-context'
import { openDatabase } from '../lib/server/database/database'
import { isServiceError } from '../lib/server/errors/service-error'
import { StartError } from '../lib/server/errors/start-error'
import { readEnv } from '../lib/server/settings/env'
import { removeHosts } from '../lib/services/host/remove-hosts'

const USAGE = 'npm run host:remove -- --cloud CLOUD --reason REASON [--force] HOST…'

const readCommand = () => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        cloud: { type: 'string' },
        reason: { type: 'string' },
        force: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    const { cloud, reason, force, help } = values
    if (help) return null
    if (cloud !== undefined && reason !== undefined && positionals.length > 0)
      return { cloud, reason, force, hosts: positionals }
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : String(error)}\nUsage: ${USAGE}`)
  }
  throw new StartError(`A cloud, a reason and at least one host are required.\nUsage: ${USAGE}`)
}

const remove = async (command: NonNullable<ReturnType<typeof readCommand>>): Promise<void> => {
  const env = readEnv()
  // A mistyped folder would be created, and be empty.
  if (env.databaseUrl === null && !existsSync(env.dataDirectory))
    throw new StartError(
      `There is no folder ${env.dataDirectory}, so there is no host to remove. Set SLICEBOARD_DATA_DIR or DATABASE_URL to the value that the console has.`,
    )
  const database = await openDatabase(env)
  const ctx: Pick<ServiceContext, 'database' | 'actor' | 'now' | 'silentAfterSeconds'> = {
    database,
    actor: { kind: 'system' },
    now: () => new Date(),
    silentAfterSeconds: env.silentAfterSeconds,
  }
  const { hosts } = await removeHosts(ctx, command).finally(() => database.close())
  for (const { name, removedAt, reason } of hosts)
    process.stdout.write(`${name} was removed at ${removedAt}: ${reason}\n`)
}

try {
  const command = readCommand()
  if (command === null) process.stdout.write(`Usage: ${USAGE}\n`)
  else await remove(command)
} catch (error) {
  if (!(error instanceof StartError) && !isServiceError(error)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

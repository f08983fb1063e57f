import 'server-only'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { openDatabase } from '../database/database'
import type { Replica } from '../database/open-postgres'
import { type Env, readEnv } from '../env'
import { createLog, type Logger } from '../log'
import { rootDirectory } from '../root-directory'
import { type Runtime, setRuntime } from '../runtime'
import { claimSecret } from '../session/claim-secret'
import { readSecrets } from '../session/load-secrets'
import { createSecretBox } from '../session/secret-box'
import { StartError } from '../start-error'
import { closeHttpServer } from './close-http-server'
import { ensureClouds, ensureFirstCloud } from './ensure-clouds'
import { createHttpServer, type HttpHandler } from './http-server'
import { listen } from './listen'
import { openAccounts } from './open-accounts'
import { type OpenedSignIn, openSignIn } from './open-sign-in'
import { refuseLostSignIn } from './refuse-lost-sign-in'
import { startNext } from './start-next'
import { createStopWorks } from './stop-works'

/** Answers what is its own and returns true, or leaves the request alone and returns false; now or later. */
export type FrontHandler = (req: IncomingMessage, res: ServerResponse) => boolean | Promise<boolean>
type CreateFrontHandler = (runtime: Runtime) => FrontHandler

/** Background work of the process; it registers how it is stopped with `onStop`. */
type StartWork = (runtime: Runtime) => Promise<void>

type StartInput = {
  env: Env
  log: Logger
  stopWorks: StopWorks
  frontHandlers: readonly CreateFrontHandler[]
  works: readonly StartWork[]
  startPages: typeof startNext
}
type StopWorks = ReturnType<typeof createStopWorks>

const readVersion = async (): Promise<string> => {
  const { version } = JSON.parse(await readFile(join(rootDirectory(), 'package.json'), 'utf8')) as {
    version: string
  }
  return version
}

const replicaOf = ({ env, log }: Pick<StartInput, 'env' | 'log'>): Replica | null =>
  env.replicaUrl === null
    ? null
    : {
        url: env.replicaUrl,
        onState: (state) => {
          if (state === null) log.info('The history is read from its replica again')
          else log.warn({ reason: state }, 'The history is not read from its replica but from the primary')
        },
      }

const createRuntime = async ({
  env,
  log,
  stopWorks,
  signIn,
  accounts,
}: Pick<StartInput, 'env' | 'log' | 'stopWorks'> &
  Pick<Runtime, 'accounts'> &
  Pick<OpenedSignIn, 'signIn'>): Promise<Runtime> => {
  const database = await openDatabase({ ...env, replica: replicaOf({ env, log }) })
  stopWorks.add('close the database', () => database.close())
  await refuseLostSignIn({ database, env, hasSignIn: signIn !== null })
  // After the database, which has locked the data folder.
  const box = createSecretBox(await claimSecret({ database, env, now: new Date() }))
  const runtime: Runtime = {
    env,
    database,
    log,
    now: () => new Date(),
    version: await readVersion(),
    box,
    signIn: signIn === null ? null : { ...signIn, box },
    accounts,
    onStop: stopWorks.add,
  }
  const now = runtime.now()
  const clouds = accounts.map(({ cloud: name, region }) => ({ name, region }))
  if (clouds.length === 0) await ensureFirstCloud({ database, name: env.cloud, region: env.region, now })
  else await ensureClouds({ database, clouds, now })
  setRuntime(runtime)
  return runtime
}

/** Asks one after the other, and the pages for what none of them takes. Who takes a message of an agent says so at once. */
const inOrder = (front: readonly FrontHandler[], pages: HttpHandler): HttpHandler => {
  const ask = (place: number, req: IncomingMessage, res: ServerResponse): ReturnType<HttpHandler> => {
    const isTaken = front[place]?.(req, res)
    if (isTaken === undefined) return pages(req, res)
    if (isTaken instanceof Promise)
      return isTaken.then((isIt) => (isIt ? undefined : ask(place + 1, req, res)))
    return isTaken ? undefined : ask(place + 1, req, res)
  }
  return (req, res) => ask(0, req, res)
}

/** Resolves to what the operator is told. */
const start = async (input: StartInput): Promise<string[]> => {
  const { env, log, stopWorks, frontHandlers, works, startPages } = input
  // A bad secret is refused before anything is opened.
  await readSecrets(env)
  const accounts = await openAccounts({ env, log })
  for (const { cloud, close } of accounts) stopWorks.add(`close the connections to ${cloud}`, close)
  const { signIn, sentence } = openSignIn({ env, log, accounts })
  const http = createHttpServer({
    isDevelopment: env.isDevelopment,
    log,
    url: signIn === null ? null : env.url,
    proxies: env.proxies,
  })
  const port = await listen({ server: http.server, host: env.host, port: env.port })
  // Begun before the database: the pages' code is loaded while other threads compile PGlite's.
  const openingPages = startPages({
    directory: rootDirectory(),
    isDevelopment: env.isDevelopment,
    hostname: env.host,
    port,
    server: http.server,
  })
  // Its failure is met below, with a database that can be closed.
  openingPages.catch(() => undefined)
  const runtime = await createRuntime({ env, log, stopWorks, signIn, accounts })
  const pages = await openingPages
  stopWorks.add('stop the pages', () => pages.close())
  for (const startWork of works) await startWork(runtime)
  const front = frontHandlers.map((create) => create(runtime))
  // Registered last, so that it comes first: no request is cut off by what follows.
  stopWorks.add('stop listening', () => closeHttpServer(http))
  http.serve(inOrder(front, pages.handle))
  return [
    sentence,
    `Sliceboard listens on http://${env.host.includes(':') ? `[${env.host}]` : env.host}:${port}`,
  ]
}

const reportStartFailure = (error: unknown, log: Logger | null): void => {
  if (error instanceof StartError) process.stderr.write(`${error.message}\n`)
  else if (log) log.fatal({ err: error }, 'Sliceboard cannot start')
  else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
}

/** Runs the console until a signal stops it. Exit code 0 after a graceful stop, 1 when it cannot start or breaks. */
export const runServer = async ({
  frontHandlers,
  works = [],
  startPages = startNext,
}: {
  frontHandlers: readonly CreateFrontHandler[]
  works?: readonly StartWork[]
  startPages?: typeof startNext
}): Promise<void> => {
  let log: Logger | null = null
  let stopWorks: StopWorks | null = null
  let isStopping = false
  const stop = async (exitCode: number): Promise<void> => {
    // A second signal does not wait for the first.
    if (isStopping) process.exit(1)
    isStopping = true
    await stopWorks?.run()
    process.exit(exitCode)
  }
  try {
    const env = readEnv()
    log = createLog({ level: env.logLevel })
    stopWorks = createStopWorks(log)
    process.on('SIGTERM', () => stop(0))
    process.on('SIGINT', () => stop(0))
    process.on('uncaughtException', (err) => {
      log?.fatal({ err }, 'Sliceboard breaks off')
      return stop(1)
    })
    const told = await start({ env, log, stopWorks, frontHandlers, works, startPages })
    process.stdout.write(`${told.join('\n')}\n`)
  } catch (error) {
    reportStartFailure(error, log)
    await stop(1)
  }
}

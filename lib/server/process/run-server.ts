import 'server-only'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import * as z from 'zod'
import { createLog, type Logger } from '@/lib/server/context/log'
import { type Runtime, setRuntime } from '@/lib/server/context/runtime'
import { StartError } from '@/lib/server/errors/start-error'
import { readSecrets } from '@/lib/server/secrets/load-secrets'
import { createSecretBox } from '@/lib/server/secrets/secret-box'
import {
  type Env,
  isStartedByNpm,
  readEnv,
  readUnknownSettings,
  setNextEnvironment,
} from '@/lib/server/settings/env'
import { rootDirectory } from '@/lib/server/settings/root-directory'
import { applyStoredDifferences } from '@/lib/services/report/apply-stored-differences'
import { type Database, openDatabase } from '../database/database'
import { describeDatabase } from '../database/describe-database'
import type { Replica } from '../database/open-postgres'
import { claimSecret } from '../session/claim-secret'
import { ensureClouds, ensureFirstCloud } from './ensure-clouds'
import { followParent } from './follow-parent'
import { createHttpServer, type HttpHandler, type HttpServer } from './http-server'
import { listen } from './listen'
import { openAccounts } from './open-accounts'
import { type OpenedSignIn, openSignIn } from './open-sign-in'
import { createStopTasks } from './stop-tasks'

/** `build`: null in development. Pages of another build do not use the answers of this one. */
type Pages = { handle: HttpHandler; build?: string | null; close: () => Promise<void> }

const readBuild = async (directory: string): Promise<string> => {
  try {
    return (await readFile(join(directory, '.next', 'BUILD_ID'), 'utf8')).trim()
  } catch {
    throw new StartError('The pages are not built: run "npm run build" first.')
  }
}

const startNext = async ({
  directory,
  isDevelopment,
  hostname,
  port,
  server,
}: {
  directory: string
  isDevelopment: boolean
  hostname: string
  port: number
  server: Server
}): Promise<Pages> => {
  const build = isDevelopment ? null : await readBuild(directory)
  // Loaded late, because Next and React read the environment when they are loaded.
  setNextEnvironment({ isDevelopment })
  const { default: next } = await import('next')
  const app = next({ dev: isDevelopment, dir: directory, hostname, port, httpServer: server })
  await app.prepare()
  const handle = app.getRequestHandler()
  return { handle: (req, res) => handle(req, res), build, close: () => app.close() }
}

/** A clouds.yaml that has disappeared, such as an unmounted volume, must not make everybody an admin. */
const refuseLostSignIn = async ({
  database,
  env,
  hasSignIn,
}: {
  database: Database
  env: Env
  hasSignIn: boolean
}): Promise<void> => {
  if (hasSignIn || env.signIn === 'off' || env.openstack === 'off') return
  const last = await database.prisma.auditEntry.findFirst({
    where: { action: 'session.create' },
    orderBy: { id: 'desc' },
    select: { cloud: true },
  })
  if (last === null) return
  throw new StartError(
    `People sign in to this console through the cloud "${last.cloud}", but no clouds.yaml is found now, so Sliceboard does not start: put the file back, or set SLICEBOARD_SIGN_IN=off to run it without sign-in.`,
  )
}

/** How long a request that has begun may take after the stop signal: the whole stop takes at most five seconds. */
const GRACE_MS = 2000

/** Stops listening, lets begun requests finish, and then cuts what is left. */
export const closeHttpServer = ({ server, refuseKeepAlive }: HttpServer): Promise<void> =>
  new Promise((resolve) => {
    refuseKeepAlive()
    const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS)
    // Connections that turn idle after their last answer.
    const sweep = setInterval(() => server.closeIdleConnections(), 100)
    server.close(() => {
      clearTimeout(cut)
      clearInterval(sweep)
      resolve()
    })
    server.closeIdleConnections()
  })

/** Answers what is its own and returns true, or leaves the request alone and returns false; now or later. */
export type FrontHandler = (req: IncomingMessage, res: ServerResponse) => boolean | Promise<boolean>
type CreateFrontHandler = (runtime: Runtime) => FrontHandler

/** Background work of the process; it registers how it is stopped with `onStop`. */
type StartWork = (runtime: Runtime) => Promise<void>

type StartInput = {
  env: Env
  log: Logger
  version: string
  stopTasks: StopTasks
  frontHandlers: readonly CreateFrontHandler[]
  tasks: readonly StartWork[]
  startPages: typeof startNext
}
type StopTasks = ReturnType<typeof createStopTasks>

const readVersion = async (): Promise<string> => {
  const description = await readFile(join(rootDirectory(), 'package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(description)).version
}

const replicaOf = ({ env, log }: Pick<StartInput, 'env' | 'log'>): Replica | null =>
  env.replicaUrl === null
    ? null
    : {
        url: env.replicaUrl,
        onState: (state) => {
          if (state === null) log.info('The history is read from its replica again')
          else log.warn({ reason: state }, 'The history is read from the primary instead of its replica')
        },
      }

const createRuntime = async ({
  env,
  log,
  version,
  stopTasks,
  signIn,
  accounts,
}: Pick<StartInput, 'env' | 'log' | 'version' | 'stopTasks'> &
  Pick<Runtime, 'accounts'> &
  Pick<OpenedSignIn, 'signIn'>): Promise<Runtime> => {
  let migrations: readonly string[] = []
  const database = await openDatabase({
    ...env,
    replica: replicaOf({ env, log }),
    onMigrated: (names) => {
      migrations = names
    },
  })
  stopTasks.add('close the database', () => database.close())
  log.info({ database: describeDatabase(env), kind: database.kind, migrations }, 'Database opened')
  await applyStoredDifferences({ database, log })
  for (const { cloud, close } of accounts) stopTasks.add(`close the connections to ${cloud}`, close)
  await refuseLostSignIn({ database, env, hasSignIn: signIn !== null })
  // After the database, which has locked the data folder.
  const box = createSecretBox(await claimSecret({ database, env, now: new Date() }))
  const runtime: Runtime = {
    env,
    database,
    log,
    now: () => new Date(),
    version,
    root: rootDirectory(),
    box,
    signIn: signIn === null ? null : { ...signIn, box },
    accounts,
    onStop: stopTasks.addTogether,
  }
  const now = runtime.now()
  const clouds = accounts.map(({ cloud: name, region }) => ({ name, region }))
  if (clouds.length === 0) await ensureFirstCloud({ database, name: env.cloud, region: env.region, now })
  else await ensureClouds({ database, clouds, now })
  setRuntime(runtime)
  return runtime
}

/**
 * Calls the handlers in order, and the pages for requests that none of them accepts. The handler of agent messages
 * reports immediately whether it accepts one.
 */
const inOrder = (front: readonly FrontHandler[], pages: HttpHandler): HttpHandler => {
  const ask = (index: number, req: IncomingMessage, res: ServerResponse): ReturnType<HttpHandler> => {
    const isTaken = front[index]?.(req, res)
    if (isTaken === undefined) return pages(req, res)
    if (isTaken instanceof Promise)
      return isTaken.then((isIt) => (isIt ? undefined : ask(index + 1, req, res)))
    return isTaken ? undefined : ask(index + 1, req, res)
  }
  return (req, res) => ask(0, req, res)
}

/** Resolves to the lines for the operator. */
const start = async (input: StartInput): Promise<string[]> => {
  const { env, log, version, stopTasks, frontHandlers, tasks, startPages } = input
  // A bad secret is refused before anything is opened.
  await readSecrets(env)
  const accounts = await openAccounts({ env, log })
  log.info({ clouds: accounts.map(({ cloud }) => cloud) }, 'Clouds found')
  const { signIn, sentence } = openSignIn({ env, log, accounts })
  const http = createHttpServer({
    isDevelopment: env.isDevelopment,
    log,
    url: signIn === null ? null : env.url,
    proxies: env.proxies,
    hasSignIn: signIn !== null,
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
  const runtime = await createRuntime({ env, log, version, stopTasks, signIn, accounts })
  const pages = await openingPages
  stopTasks.add('stop the pages', () => pages.close())
  for (const startWork of tasks) await startWork(runtime)
  const front = frontHandlers.map((create) => create(runtime))
  // Registered last, so that it comes first: no request is cut off by what follows.
  stopTasks.add('stop listening', () => closeHttpServer(http))
  http.serve(inOrder(front, pages.handle), pages.build)
  const address = `http://${env.host.includes(':') ? `[${env.host}]` : env.host}:${port}`
  log.info({ address }, 'Listening')
  return [sentence, `Sliceboard listens on ${address}`]
}

/** At a terminal the sentence alone, otherwise a line of the log. */
const reportStartFailure = (error: unknown, log: Logger): void => {
  const isPlain = process.stderr.isTTY || !log.isLevelEnabled('fatal')
  if (!(error instanceof StartError)) log.fatal({ err: error }, 'Startup failed')
  else if (isPlain) process.stderr.write(`${error.message}\n`)
  else for (const line of error.message.split('\n')) log.fatal(`Startup failed: ${line}`)
}

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Stops in order once, within seconds; further signals change nothing, since a terminal and npm both pass on a Ctrl-C. */
const createStop = ({ log, stopTasks }: Pick<StartInput, 'log' | 'stopTasks'>) => {
  let isStopping = false
  return {
    isStopping: () => isStopping,
    stop: async (reason: string, exitCode: number): Promise<void> => {
      if (isStopping) return
      isStopping = true
      log.info({ reason }, 'Shutting down')
      const startedAt = performance.now()
      await stopTasks.run()
      log.info({ ms: Math.round(performance.now() - startedAt) }, 'Shut down')
      process.exit(exitCode)
    },
  }
}

/** Runs the console until a signal stops it. Exit code 0 after a graceful stop, 1 when it cannot start or breaks. */
export const runServer = async ({
  frontHandlers,
  tasks = [],
  startPages = startNext,
}: {
  frontHandlers: readonly CreateFrontHandler[]
  tasks?: readonly StartWork[]
  startPages?: typeof startNext
}): Promise<void> => {
  const version = await readVersion()
  let log = createLog({ level: 'info', version })
  // Writing fails after the terminal was closed, which must not end the process early.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  let env: Env
  try {
    env = readEnv()
  } catch (error) {
    for (const sentence of readUnknownSettings()) log.warn(sentence)
    reportStartFailure(error, log)
    process.exit(1)
  }
  log = createLog({ level: env.logLevel, version })
  const stopTasks = createStopTasks(log)
  const { stop, isStopping } = createStop({ log, stopTasks })
  for (const signal of STOP_SIGNALS) process.on(signal, () => stop(signal, 0))
  if (isStartedByNpm()) followParent(() => stop('the parent process ended', 0))
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'Unexpected error')
    return stop('unexpected error', 1)
  })
  try {
    log.info({ node: process.version, database: describeDatabase(env) }, 'Starting')
    for (const sentence of readUnknownSettings()) log.warn(sentence)
    const lines = await start({ env, log, version, stopTasks, frontHandlers, tasks, startPages })
    process.stdout.write(`${lines.join('\n')}\n`)
  } catch (error) {
    // A stop during the start takes away what the start needs.
    if (isStopping()) return
    reportStartFailure(error, log)
    await stop('startup failed', 1)
  }
}

import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { apiPaths } from '@/lib/util/paths'
import { DEMO_CLOUD } from '@/simulator/demo-fleet/demo-fleet'
import { writeCloudsYaml } from '@/simulator/openstack/demo-cloud/clouds-yaml'
import type { RunAgent } from '@/simulator/process/agent-fleet'
import {
  agentsDirectory,
  type PreparedWorld,
  prepareWorld,
  runSimulator,
} from '@/simulator/process/run-simulator'
import { type ServedOpenStack, serveOpenStack } from '@/simulator/process/serve-openstack'
import { openAdminApi } from './admin-api'
import { type ConsoleProcess, startConsole } from './console-process'
import type { DemoOptions } from './demo-options'
import { addDemoPrices } from './demo-prices'
import { takeFolder } from './folder-lock'
import { choosePort, freePort } from './free-port'
import { createJoinToken, needsJoinToken } from './join-token'
import { choosePast, type PastChoice, readLimits, writePast } from './past'
import { cloudToUse, whatToSee } from './what-to-see'

/** How the console is started; everything else is the same for the demo and for development. */
export type ConsoleKind = { args: string[]; env: Record<string, string> }

/** Short enough to watch, long enough for a laptop: a round of all agents costs well under a second of CPU. */
const INTERVAL_SECONDS = 5
const SILENT_AFTER_SECONDS = 40
const READ_INTERVAL_SECONDS = 10

const dataDirectory = ({ directory }: DemoOptions): string => path.join(directory, 'data')
const simulatorDirectory = ({ directory }: DemoOptions): string => path.join(directory, 'simulator')
const foldersOf = (options: DemoOptions) => ({
  dataDirectory: dataDirectory(options),
  simulatorDirectory: simulatorDirectory(options),
  limitsFile: path.join(options.directory, 'limits.json'),
})

const consoleEnv = (
  options: DemoOptions,
  { port, cloudsFile }: { port: number; cloudsFile: string },
): Record<string, string> => ({
  DATABASE_URL: '',
  SLICEBOARD_DATA_DIR: path.join(options.directory, 'data'),
  SLICEBOARD_HOST: '127.0.0.1',
  SLICEBOARD_PORT: String(port),
  // Not the clouds that this machine knows: the demo shows its own.
  OS_CLIENT_CONFIG_FILE: cloudsFile,
  OS_CLOUD: DEMO_CLOUD.name,
  SLICEBOARD_SIGN_IN: options.hasSignIn ? 'auto' : 'off',
  SLICEBOARD_READ_INTERVAL_SECONDS: String(READ_INTERVAL_SECONDS),
  SLICEBOARD_REPORT_INTERVAL_SECONDS: String(INTERVAL_SECONDS),
  SLICEBOARD_SILENT_AFTER_SECONDS: String(SILENT_AFTER_SECONDS),
  // A first-time user wants to see the first ones.
  SLICEBOARD_SAMPLES_EVERY_SECONDS: '60',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
})

/** The bundle that hosts get too, not the source. */
const loadAgent = async (root: string): Promise<RunAgent> => {
  const bundle = pathToFileURL(path.join(root, 'dist', 'sliceboard-agent.mjs')).href
  return ((await import(bundle)) as { runAgent: RunAgent }).runAgent
}

type RunningParts = { console: ConsoleProcess; prepared: PreparedWorld; openstack: ServedOpenStack }

const announce = ({ console, openstack }: RunningParts, names: string[], options: DemoOptions): string =>
  [
    '',
    `Sliceboard runs at ${console.url}`,
    `Cloud ${DEMO_CLOUD.name}, ${DEMO_CLOUD.region}: ${names.length} simulated hosts, real agents.`,
    '',
    whatToSee(console.url, names),
    '',
    cloudToUse(openstack),
    '',
    `Ctrl-C stops everything. ${path.relative(process.cwd(), options.directory)} stores the state; --fresh deletes it.`,
    '',
  ].join('\n')

const simulate = async (
  parts: RunningParts,
  { options, context }: { options: DemoOptions; context: DemoContext },
): Promise<void> => {
  const { console, prepared } = parts
  const names = prepared.world.hosts.map((host) => host.living.name)
  const api = await openAdminApi(console.url, { cloud: DEMO_CLOUD.name, hasSignIn: options.hasSignIn })
  await addDemoPrices(api)
  const joinToken = needsJoinToken(agentsDirectory(prepared.directory), names)
    ? await createJoinToken(api)
    : null
  context.say(announce(parts, names, options))
  await runSimulator({
    prepared,
    serverUrl: console.url,
    joinToken,
    intervalSeconds: INTERVAL_SECONDS,
    runAgent: await loadAgent(context.root),
    signal: context.signal,
    onWarning: context.say,
  })
}

export type DemoContext = { root: string; signal: AbortSignal; say: (line: string) => void }

type Story = { startAt: Date; populatedAt: Date; say: (line: string) => void }

const prepare = (options: DemoOptions, { startAt, populatedAt, say }: Story): PreparedWorld =>
  prepareWorld({
    directory: simulatorDirectory(options),
    startAt,
    populatedAt,
    seed: options.seed,
    ...(options.hostCount === null ? {} : { hostCount: options.hostCount }),
    ...(options.isVerbose ? { onEvent: say } : {}),
  })

/** Hosts and, above them, the simulated OpenStack; WebSSO may lead to this console alone. */
const prepareCloud = async (
  options: DemoOptions,
  ports: { console: number; openstack: number },
  story: Story,
): Promise<{ prepared: PreparedWorld; openstack: ServedOpenStack }> => {
  const prepared = prepare(options, story)
  const openstack = await serveOpenStack({
    world: prepared.world,
    directory: options.directory,
    port: ports.openstack,
    trustedDashboards: ['127.0.0.1', 'localhost'].map(
      (name) => `http://${name}:${ports.console}${apiPaths.webSso()}`,
    ),
    ...(options.isVerbose ? { onRefused: story.say } : {}),
  })
  return { prepared, openstack }
}

/** A database that is yet to be made begins with a year of history. */
const withPast = async (
  options: DemoOptions,
  choice: PastChoice | null,
  { root, startAt, signal }: Pick<DemoContext, 'root' | 'signal'> & { startAt: Date },
): Promise<void> => {
  if (choice === null) return
  const { seed, hostCount } = options
  await writePast({ ...foldersOf(options), seed, hostCount }, { root, startAt, signal, choice })
}

/** The trees are written while the console starts in its own process; if they cannot be, it must not stay. */
const whileStarting = async <Result>(
  starting: Promise<ConsoleProcess>,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    const console = await starting.catch(() => null)
    await console?.stop()
    throw error
  }
}

/** Runs console, simulator and agents until the signal aborts or the console ends. True when it was asked to stop. */
export const runDemo = async (
  options: DemoOptions,
  kind: ConsoleKind,
  context: DemoContext,
): Promise<boolean> => {
  const release = takeFolder(options.directory, options)
  try {
    return await runInFolder(options, kind, context)
  } finally {
    release()
  }
}

const runInFolder = async (
  options: DemoOptions,
  kind: ConsoleKind,
  context: DemoContext,
): Promise<boolean> => {
  const ports = { console: await choosePort(options.port), openstack: await freePort() }
  // The console reads it at its start, which the simulator's own, longer start must not hold up.
  const cloudsFile = writeCloudsYaml(options.directory, {
    ...DEMO_CLOUD,
    authUrl: `http://127.0.0.1:${ports.openstack}/identity/v3`,
  })
  const startAt = new Date()
  const choice = choosePast(options, foldersOf(options), { root: context.root, startAt })
  let served: ServedOpenStack | null = null
  const starting = withPast(options, choice, { ...context, startAt }).then(() => {
    served?.giveLimits(readLimits(foldersOf(options)))
    return startConsole({
      root: context.root,
      args: kind.args,
      env: { ...consoleEnv(options, { port: ports.console, cloudsFile }), ...kind.env },
      onLine: context.say,
      signal: context.signal,
    })
  })
  // It is waited for below; until then a failure is unhandled.
  starting.catch(() => undefined)
  const story = { startAt, populatedAt: choice?.populatedAt ?? startAt, say: context.say }
  const { prepared, openstack } = await whileStarting(starting, () => prepareCloud(options, ports, story))
  served = openstack
  openstack.giveLimits(readLimits(foldersOf(options)))
  const console = await starting.catch(async (error: unknown) => {
    await openstack.stop()
    throw error
  })
  const stop = new AbortController()
  context.signal.addEventListener('abort', () => stop.abort(), { once: true })
  if (context.signal.aborted) stop.abort()
  let hasEnded = false
  const watched = console.ended.then(() => {
    hasEnded = !context.signal.aborted
    stop.abort()
  })
  try {
    await simulate(
      { console, prepared, openstack },
      { options, context: { ...context, signal: stop.signal } },
    )
  } finally {
    await console.stop()
    await watched
    await openstack.stop()
  }
  if (hasEnded) context.say('The console stopped, so the demo stops.')
  return !hasEnded
}

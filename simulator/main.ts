import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { RunAgent } from './process/agent-fleet'
import { type PreparedWorld, prepareWorld, runSimulator } from './process/run-simulator'
import { type ServedOpenStack, serveOpenStack } from './process/serve-openstack'

const HELP = `Usage: tsx simulator/main.ts --server URL [OPTION…]

Keeps a simulated fleet alive below a folder and runs the real agent on each of its hosts.

  --server URL       address of the console
  --directory DIR    where trees and the agents' state lie; default .demo/simulator
  --hosts N          only so many hosts
  --seed N           another fleet and another story; default 1
  --interval S       seconds between two reports until the console sets another interval; default 5
  --openstack PORT   also serve Keystone, Placement and Nova; 0 takes a free port. clouds.yaml is written into the folder
  --agent FILE       the built agent; default dist/sliceboard-agent.mjs
  --verbose          log what happens

SLICEBOARD_JOIN_TOKEN holds the join token; hosts that are enrolled already need none.
`

const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    directory: { type: 'string', default: path.join('.demo', 'simulator') },
    hosts: { type: 'string' },
    seed: { type: 'string', default: '1' },
    interval: { type: 'string', default: '5' },
    openstack: { type: 'string' },
    agent: { type: 'string', default: path.join('dist', 'sliceboard-agent.mjs') },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const wholeNumber = (name: string, text: string): number => {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  console.error(`--${name} is "${text}", but must be a whole number.`)
  process.exit(2)
}

/** The file is the agent that this repository builds. */
const loadAgent = async (file: string): Promise<RunAgent> =>
  ((await import(pathToFileURL(path.resolve(file)).href)) as { runAgent: RunAgent }).runAgent

const cloudAbove = ({ world }: PreparedWorld, port: string): Promise<ServedOpenStack> =>
  serveOpenStack({
    world,
    directory: path.resolve(values.directory),
    port: wholeNumber('openstack', port),
    trustedDashboards: [],
  })

const run = async (server: string): Promise<void> => {
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => stop.abort())
  const say = (sentence: string): void => console.log(`${new Date().toISOString()} ${sentence}`)
  const prepared = prepareWorld({
    directory: path.resolve(values.directory),
    seed: wholeNumber('seed', values.seed),
    ...(values.hosts === undefined ? {} : { hostCount: wholeNumber('hosts', values.hosts) }),
    ...(values.verbose ? { onEvent: say } : {}),
  })
  const openstack = values.openstack === undefined ? null : await cloudAbove(prepared, values.openstack)
  if (openstack !== null)
    say(`Keystone listens on ${openstack.authUrl}; controls at ${openstack.controlsUrl}.`)
  await runSimulator({
    prepared,
    serverUrl: server,
    joinToken: process.env.SLICEBOARD_JOIN_TOKEN ?? null,
    intervalSeconds: wholeNumber('interval', values.interval),
    runAgent: await loadAgent(values.agent),
    signal: stop.signal,
    onWarning: say,
  })
  await openstack?.stop()
}

if (values.help || values.server === undefined) {
  console.log(HELP)
  process.exitCode = values.help ? 0 : 2
} else await run(values.server)

import path from 'node:path'
import { buildPast } from '../build-past'
import { buildServer } from '../build-server'
import { DemoError } from './demo-options'
import { endWith, spawnNode } from './spawn-node'
import { isStale } from './stale'

const SHARED = ['lib', 'package-lock.json', 'tsconfig.json']
const PAGES = ['app', 'components', 'public', 'next.config.mjs', 'postcss.config.mjs', ...SHARED]
const SERVER = ['server.ts', 'prisma', 'scripts/build-server.ts', ...SHARED]
const AGENT = [
  'agent',
  'lib/schemas/agent',
  'scripts/agent-build',
  'scripts/build-agent.ts',
  'package-lock.json',
]

const PAST = [
  'scripts/write-past.ts',
  'scripts/demo-run/past-template.ts',
  'agent',
  'simulator',
  'prisma',
  'lib/domain/testing',
  'lib/services/history/testing',
  ...SHARED,
]

/** `signal` ends a build that runs. */
type Build = { root: string; signal: AbortSignal; say: (line: string) => void }

/** Output is shown only when it fails. */
const runTsx = ({ root, signal }: Build, args: string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const tsx = path.join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs')
    const child = spawnNode([tsx, ...args], { cwd: root, stdio: ['pipe', 'pipe'], hasOwnGroup: true })
    endWith(child, signal)
    const chunks: Buffer[] = []
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else
        reject(
          new DemoError(`${Buffer.concat(chunks).toString()}\nThe build ended with ${code ?? 'a signal'}.`),
        )
    })
  })

const timed = async (say: (line: string) => void, what: string, work: () => Promise<void>): Promise<void> => {
  const startedMs = performance.now()
  say(`Building ${what} …`)
  await work()
  say(`Built ${what} in ${Math.round((performance.now() - startedMs) / 1000)} s.`)
}

const buildAgent = (build: Build): Promise<void> => runTsx(build, [path.join('scripts', 'build-agent.ts')])

/** Builds the agent unless `dist` holds today's. */
export const buildMissingAgent = async (build: Build): Promise<void> => {
  if (isStale(build.root, 'dist/sliceboard-agent.mjs', AGENT))
    await timed(build.say, 'the agent', () => buildAgent(build))
}

/** Builds what writes the demo's history unless `dist` holds today's: it takes a moment, so nothing is printed. */
export const buildMissingPast = async (root: string): Promise<void> => {
  if (isStale(root, 'dist/write-past.mjs', PAST)) await buildPast()
}

/** Builds pages, server and agent, each unless it is up to date. */
export const buildMissing = async (build: Build): Promise<void> => {
  const { root, say } = build
  if (isStale(root, '.next/BUILD_ID', PAGES)) {
    // The whole build also leaves the cluster from which an empty database starts at once.
    const args = ['--tsconfig', 'tsconfig.server.json', path.join('scripts', 'build.ts')]
    await timed(say, 'pages, server and agent', () => runTsx(build, args))
    return
  }
  if (isStale(root, 'dist/server.mjs', SERVER)) await timed(say, 'the server', buildServer)
  await buildMissingAgent(build)
}

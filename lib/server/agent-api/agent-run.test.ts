import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type RunOptions, type RunResult, runAgent } from '@/agent/commands/run'
import { writeTinyHost } from '@/agent/testing/tiny-host'
import { revokeAgent } from '@/lib/services/agent/revoke-agent'
import { decideEnrollment } from '@/lib/services/enrollment-request/decide-enrollment'
import { addCloud } from '@/lib/services/testing/fleet-rows'
import type { Database } from '../database/database'
import { createTestDatabase } from '../testing/test-database'
import { AGENT_RATES } from './agent-gate'
import { type AgentConsole, startAgentConsole } from './testing/agent-console'
import { startInstallConsole } from './testing/install-console'

vi.setConfig({ testTimeout: 60_000 })

const NAME = 'cmp-01'
const run = promisify(execFile)
let directory: string
let database: Database
let agents: AgentConsole
let lines: string[]
let agent: { stop: () => Promise<RunResult> } | null

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'sliceboard-agent-run-'))
  database = await createTestDatabase()
  await addCloud(database, 'lab')
  agents = await startAgentConsole({ database })
  lines = []
  agent = null
  await setOs('one')
})
afterEach(async () => {
  await agent?.stop()
  await agents.stop()
  await database.close()
  await rm(directory, { recursive: true, force: true })
})

const setOs = (osName: string) => writeTinyHost(path.join(directory, 'tree'), { name: NAME, osName })
const write = (line: string) => lines.push(line)
const optionsWith = (joinToken: string | null, options: Partial<RunOptions>): RunOptions => ({
  root: path.join(directory, 'tree'),
  stateDirectory: path.join(directory, 'state'),
  serverUrl: `http://127.0.0.1:${agents.port}`,
  joinToken,
  intervalSeconds: 0.05,
  timing: { backOffBaseMs: 10, backOffCapMs: 50 },
  signal: new AbortController().signal,
  log: { info: write, warn: write },
  ...options,
})
const once = (joinToken: string | null = null) => runAgent(optionsWith(joinToken, { isOnce: true }))
const start = (joinToken: string | null, options: Partial<RunOptions> = {}) => {
  const controller = new AbortController()
  const done = runAgent(optionsWith(joinToken, { ...options, signal: controller.signal }))
  agent = {
    stop: () => {
      controller.abort()
      return done
    },
  }
}
const stored = () => database.prisma.host.findFirst({ where: { name: NAME } })
const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 20 })

test('an agent enrols, reports, and keeps an unchanged host with heartbeats', async () => {
  const token = await agents.joinToken()
  expect(await once(token)).toBe('delivered')
  expect(await stored()).toMatchObject({ boot: 1, sequence: 1, osName: 'one', appliedReports: 1n })
  expect(await once()).toBe('delivered')
  expect(await stored()).toMatchObject({ boot: 2, sequence: 1, appliedReports: 1n })
  await setOs('two')
  expect(await once()).toBe('delivered')
  expect(await stored()).toMatchObject({ boot: 3, sequence: 1, osName: 'two', appliedReports: 2n })
  expect(lines.join('\n')).not.toContain(token)
})

test('a console that has lost the digest gets the full report at once', async () => {
  await once(await agents.joinToken())
  await database.prisma.host.updateMany({ data: { digest: null } })
  expect(await once()).toBe('delivered')
  expect(await stored()).toMatchObject({ boot: 2, sequence: 2, appliedReports: 2n })
})

test('reports that waited during an outage are applied one after the other', async () => {
  await once(await agents.joinToken())
  const { port } = agents
  await agents.stop()
  for (const osName of ['two', 'three', 'four']) {
    await setOs(osName)
    expect(await once()).toBe('undelivered')
  }
  agents = await startAgentConsole({ database, port })
  expect(await once()).toBe('delivered')
  expect(await stored()).toMatchObject({ boot: 4, sequence: 1, osName: 'four', appliedReports: 4n })
})

test('a revoked agent stops sending and comes back with a new join token', async () => {
  await once(await agents.joinToken())
  const { id } = await database.prisma.agentCredential.findFirstOrThrow()
  await revokeAgent(agents.ctx, { credentialId: id })
  await setOs('two')
  expect(await once()).toBe('undelivered')
  expect(lines.join('\n')).toContain('The console refuses this host')
  expect(await once(await agents.joinToken())).toBe('delivered')
  expect(await stored()).toMatchObject({ enrolment: 2, osName: 'two', appliedReports: 2n })
})

test('an agent whose enrollment waits for approval keeps asking, also after a restart, and gets in once it is approved', async () => {
  await once(await agents.joinToken())
  // Installed again: the state is gone, the host reported a moment ago.
  await rm(path.join(directory, 'state'), { recursive: true })
  const token = await agents.joinToken()
  expect(await once(token)).toBe('undelivered')
  expect(await once(token)).toBe('undelivered')
  const status = await readFile(path.join(directory, 'state', 'enrollment-status'), 'utf8')
  expect(status).toMatch(/already has a credential in use.* request [0-9a-f]{8} .*status 429/)
  const rows = await database.prisma.pendingEnrollment.findMany()
  expect(rows).toMatchObject([{ attempts: 2, decision: null }])
  expect(lines.join('\n')).toContain('The host is not enrolled yet: ')
  await decideEnrollment(agents.ctx, { id: rows[0]?.id ?? 0, body: { decision: 'approve' } })
  expect(await once(token)).toBe('delivered')
  expect(await readdir(path.join(directory, 'state'))).not.toContain('enrollment-status')
  expect(await readdir(path.join(directory, 'state'))).not.toContain('enrollment-requester')
  expect(await stored()).toMatchObject({ enrolment: 2 })
})

test.each([
  [
    'expired',
    async (token: string) => {
      await database.prisma.joinToken.updateMany({ data: { expiresAt: new Date(0) } })
      return token
    },
  ],
  ['unknown', async (token: string) => `${token.slice(0, -4)}aaaa`],
  ['of another host', () => agents.joinToken({ hostName: 'cmp-02' })],
])('a join token that is %s enrols no one and is stated', async (_what, spoil) => {
  expect(await once(await spoil(await agents.joinToken()))).toBe('undelivered')
  expect(lines.join('\n')).toContain('The host is not enrolled:')
  expect(await database.prisma.agentCredential.count()).toBe(0)
})

test('an agent that lost its boot counter jumps beyond what the console knows', async () => {
  await once(await agents.joinToken())
  for (const osName of ['two', 'three']) {
    await setOs(osName)
    await once()
  }
  await rm(path.join(directory, 'state', 'counters.json'))
  await setOs('four')
  expect(await once()).toBe('delivered')
  expect(await stored()).toMatchObject({ boot: 4, sequence: 1, osName: 'four', appliedReports: 4n })
})

test('an agent that the console slows down loses nothing', async () => {
  const { port } = agents
  await once(await agents.joinToken())
  await agents.stop()
  for (const osName of ['two', 'three', 'four']) {
    await setOs(osName)
    await once()
  }
  const generous = { burst: 1000, perSecond: 1000 }
  const perCredential = { burst: 1, perSecond: 1 }
  const rates = { ...AGENT_RATES, perCredential, all: generous, failed: generous, enrolment: generous }
  agents = await startAgentConsole({ database, port, rates })
  start(null)
  await until(async () => expect(await stored()).toMatchObject({ osName: 'four', appliedReports: 4n }))
  expect(lines.join('\n')).toContain('(status 429). Trying again in')
})

test('the copied line installs the agent of this console, and it reports', async () => {
  const { url, stop } = await startInstallConsole(agents, directory)
  try {
    const prefix = path.join(directory, 'installed')
    const tokenFile = path.join(directory, 'token')
    await writeFile(tokenFile, await agents.joinToken(), { mode: 0o600 })
    const line = `curl -fsSL ${url}/install.sh | sh -s -- --token-file ${tokenFile} --prefix ${prefix}`
    const { stdout } = await run('sh', ['-c', line])
    expect(stdout).toContain(`is installed for ${url}.`)
    const at = (file: string) => path.join(prefix, file)
    const words = ['run', '--once', '--config', at('etc/sliceboard/agent.toml')]
    const tree = path.join(directory, 'tree')
    await run(at('usr/local/bin/sliceboard-agent'), [
      ...words,
      '--state-dir',
      at('var/lib/sliceboard'),
      '--root',
      tree,
    ])
    expect(await stored()).toMatchObject({ osName: 'one', appliedReports: 1n })
  } finally {
    await stop()
  }
})

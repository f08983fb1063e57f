import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { writeAudit } from '@/lib/server/audit/audit'
import { verifyAudit } from '@/lib/server/audit/verify-audit'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { openDatabase } from '../database/database'
import { bundleProgram, type Child, type ChildProgram } from '../testing/child-program'

vi.setConfig({ testTimeout: 60_000 })

let program: ChildProgram
let parent: string
let dataDirectory: string
const children: Child[] = []

beforeAll(async () => {
  program = await bundleProgram('lib/server/testing/programs/serve.ts')
})
afterAll(() => program.remove())
beforeEach(async () => {
  parent = makeTemporaryDirectory('sliceboard-process')
  dataDirectory = join(parent, 'data')
})
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.kill('SIGKILL')))
  await rm(parent, { recursive: true, force: true })
})

const serve = (env: Record<string, string> = {}): Child => {
  const child = program.start([], {
    DATABASE_URL: '',
    SLICEBOARD_DATA_DIR: dataDirectory,
    SLICEBOARD_PORT: '0',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    SLICEBOARD_OPENSTACK: 'off',
    ...env,
  })
  children.push(child)
  return child
}

/** Why it did not start, by its log. */
const sentencesOf = (child: Child): string[] =>
  child.errors.map((line) => String(JSON.parse(line).msg).replace(/^Startup failed: /, ''))

const addressOf = async (child: Child): Promise<string> =>
  (await child.line(/^Sliceboard listens on /)).replace('Sliceboard listens on ', '')

const exitCodeOf = (child: Child): Promise<number | null> =>
  new Promise((resolve) => child.process.once('close', (code) => resolve(code)))

test('a stop lets begun requests finish, then the work at stop, then the database', async () => {
  const child = serve({ SLICEBOARD_CLOUD: 'zurich' })
  const address = await addressOf(child)
  const slow = fetch(`${address}/slow`)
  await child.line(/slow request/)
  const exitCode = exitCodeOf(child)
  child.process.kill('SIGTERM')
  expect(await (await slow).text()).toBe('done')
  expect(await exitCode).toBe(0)
  await expect(fetch(address)).rejects.toThrow()
  expect(child.lines).toEqual([
    'Sign-in is off, because SLICEBOARD_OPENSTACK is "off": everybody who can reach the loopback address of this machine, also through a proxy or a tunnel, is an admin.',
    `Sliceboard listens on ${address}`,
    'slow request',
    'stopped with zurich',
  ])
  expect(child.errors).toEqual([])
  expect(existsSync(join(dataDirectory, 'lock'))).toBe(false)
})

test('an idle connection does not hold up the stop', async () => {
  const child = serve()
  const address = await addressOf(child)
  expect(await (await fetch(address)).text()).toBe('page')
  const startedAt = Date.now()
  expect(await child.kill('SIGINT')).toBe(0)
  expect(Date.now() - startedAt).toBeLessThan(5000)
})

test('a second signal changes nothing: npm and the terminal both pass on one Ctrl-C', async () => {
  const child = serve()
  const address = await addressOf(child)
  const slow = fetch(`${address}/slow`)
  await child.line(/slow request/)
  child.process.kill('SIGTERM')
  // Not SIGTERM again: the kernel would merge the two.
  expect(await child.kill('SIGINT')).toBe(0)
  expect(await (await slow).text()).toBe('done')
  expect(existsSync(join(dataDirectory, 'lock'))).toBe(false)
})

test.each(['SIGHUP', 'SIGTERM'] as const)(
  'a request that does not end is cut off within 5 s of %s',
  async (signal) => {
    const child = serve()
    const address = await addressOf(child)
    const endless = fetch(`${address}/endless`).catch(() => 'cut off')
    await child.line(/endless request/)
    const startedAt = Date.now()
    expect(await child.kill(signal)).toBe(0)
    expect(Date.now() - startedAt).toBeLessThan(5000)
    expect(await endless).toBe('cut off')
    expect(existsSync(join(dataDirectory, 'lock'))).toBe(false)
  },
)

test('the log records the start and the stop in JSON with ISO times, level names and the version', async () => {
  const child = serve({ LOG_LEVEL: 'info', SLICEBOARD_PROT: '1' })
  const address = await addressOf(child)
  await child.kill('SIGTERM')
  const entries = child.errors.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(entries.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
    'info Starting',
    'warn SLICEBOARD_PROT is not a setting of Sliceboard and is ignored. Did you mean SLICEBOARD_PORT?',
    'info Clouds found',
    'info Database opened',
    'info Listening',
    'info Shutting down',
    'info Shut down',
  ])
  for (const entry of entries)
    expect(entry).toMatchObject({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    })
  expect(entries).toMatchObject([
    { database: `in ${dataDirectory}`, node: process.version },
    {},
    { clouds: [] },
    { kind: 'pglite', migrations: [] },
    { address },
    { reason: 'SIGTERM' },
    { ms: expect.any(Number) },
  ])
})

test('all settings that are wrong are reported at once, before anything is opened', async () => {
  const child = serve({ SLICEBOARD_PORT: 'http', SLICEBOARD_SECRET: 'short', SLICEBOARD_SIGN_IN: 'maybe' })
  expect(await exitCodeOf(child)).toBe(1)
  expect(sentencesOf(child)).toEqual([
    expect.stringMatching(/^SLICEBOARD_SECRET must hold/),
    expect.stringMatching(/^SLICEBOARD_PORT is "http"/),
    expect.stringMatching(/^SLICEBOARD_SIGN_IN is "maybe"/),
  ])
  expect(existsSync(dataDirectory)).toBe(false)
})

test('a secret comes from a file', async () => {
  const file = join(parent, 'secret')
  await writeFile(file, `${'s'.repeat(40)}\n`)
  const child = serve({ SLICEBOARD_SECRET_FILE: file })
  await addressOf(child)
  expect(existsSync(join(dataDirectory, 'session-secret'))).toBe(false)
})

test('the first start makes the cloud with its audit entry, later ones leave the clouds alone', async () => {
  for (const name of ['first', 'second']) {
    const child = serve({ SLICEBOARD_CLOUD: name, SLICEBOARD_REGION: 'RegionOne' })
    await addressOf(child)
    await child.kill('SIGTERM')
  }
  const database = await openDatabase({ databaseUrl: null, dataDirectory })
  const clouds = await database.query('SELECT name, region FROM cloud')
  const entries = await database.query('SELECT actor, action, subject FROM audit_entry')
  const { broken } = await verifyAudit(database.query)
  await database.close()
  expect(clouds).toEqual([{ name: 'first', region: 'RegionOne' }])
  expect(entries).toEqual([{ actor: 'system', action: 'cloud.create', subject: 'cloud:first' }])
  expect(broken).toBeNull()
})

test('a port in use is named and nothing is left open', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const child = serve({ SLICEBOARD_PORT: String(port) })
  expect(await exitCodeOf(child)).toBe(1)
  other.close()
  expect(child.lines).toEqual([])
  expect(sentencesOf(child)).toEqual([
    `Sliceboard cannot listen on 127.0.0.1:${port}, because another process listens there: stop it, or give another SLICEBOARD_PORT.`,
  ])
  expect(existsSync(dataDirectory)).toBe(false)
})

test('a console with another secret refuses to start and leaves no lock', async () => {
  const first = serve({ SLICEBOARD_SECRET: '1'.repeat(40) })
  await addressOf(first)
  await first.kill('SIGTERM')
  const other = serve({ SLICEBOARD_SECRET: '2'.repeat(40) })
  expect(await exitCodeOf(other)).toBe(1)
  expect(other.errors.join('\n')).toContain(`The database in ${dataDirectory} was set up with another secret`)
  expect(existsSync(join(dataDirectory, 'lock'))).toBe(false)
})

test.each([
  [
    'a dead database',
    { DATABASE_URL: 'postgresql://anna:hunter2@127.0.0.1:1/sliceboard' },
    'The database 127.0.0.1:1/sliceboard cannot be opened (connect ECONNREFUSED 127.0.0.1:1): start it, or correct DATABASE_URL.',
  ],
  [
    'an unwritable data folder',
    { SLICEBOARD_DATA_DIR: '/proc/data' },
    'The data folder /proc/data cannot be written (ENOENT): make it writable, or give another SLICEBOARD_DATA_DIR.',
  ],
  [
    'an address that others could reach',
    { SLICEBOARD_HOST: '0.0.0.0' },
    'SLICEBOARD_HOST is "0.0.0.0", but must be a loopback address (127.0.0.1, ::1, localhost) without sign-in: name a cloud in clouds.yaml, so that people sign in through its Keystone.',
  ],
])('%s ends the start with one sentence', async (_name, env, sentence) => {
  const child = serve(env)
  expect(await exitCodeOf(child)).toBe(1)
  expect([child.lines, sentencesOf(child)]).toEqual([[], [sentence]])
})

const REMEDY =
  'No cloud can be used, so no user could sign in and Sliceboard does not start. Correct the file, or set SLICEBOARD_SIGN_IN=off to run it without sign-in.'

/** clouds.yaml is looked for, and the test's own is found first. */
const withCloudsYaml = async (text: string): Promise<{ file: string; env: Record<string, string> }> => {
  const file = join(parent, 'clouds.yaml')
  await writeFile(file, text)
  return { file, env: { SLICEBOARD_OPENSTACK: 'auto', OS_CLIENT_CONFIG_FILE: file, OS_CLOUD: '' } }
}

test.each([
  ['cloud:\n  prod: {}\n', 'The file has no "clouds:" at its top but "cloud:"; rename it to "clouds:".'],
  ['', 'The file is empty; describe a cloud below "clouds:".'],
])('a clouds.yaml %j stops the start before anything is opened', async (text, reason) => {
  const { file, env } = await withCloudsYaml(text)
  const child = serve(env)
  expect(await exitCodeOf(child)).toBe(1)
  expect([child.lines, sentencesOf(child)]).toEqual([[], [`${file}: ${reason}`, REMEDY]])
  expect(existsSync(dataDirectory)).toBe(false)
})

test('with sign-in switched off, a clouds.yaml without a cloud is a warning', async () => {
  const { file, env } = await withCloudsYaml('cloud:\n  prod: {}\n')
  const child = serve({ ...env, SLICEBOARD_SIGN_IN: 'off' })
  await addressOf(child)
  await vi.waitFor(() => expect(child.errors.join('\n')).toContain(`A cloud is skipped: ${file}`))
})

test('a console that people signed in to does not start when its clouds.yaml is gone', async () => {
  const database = await openDatabase({ databaseUrl: null, dataDirectory })
  await database.transaction(({ query }) =>
    writeAudit(query, {
      at: new Date(),
      actor: { kind: 'system' },
      cloud: 'paris',
      action: 'session.create',
      subject: 'session:1',
      before: null,
      after: null,
    }),
  )
  await database.close()
  const nowhere = { HOME: parent, XDG_CONFIG_HOME: parent, XDG_CONFIG_DIRS: parent }
  // A cloud of this machine would be found.
  if (existsSync('/etc/openstack/clouds.yaml')) return
  const child = serve({ ...nowhere, SLICEBOARD_OPENSTACK: 'auto' })
  expect(await exitCodeOf(child)).toBe(1)
  expect(sentencesOf(child)).toEqual([
    'People sign in to this console through the cloud "paris", but no clouds.yaml is found now, so Sliceboard does not start: put the file back, or set SLICEBOARD_SIGN_IN=off to run it without sign-in.',
  ])
  const explicit = serve({ ...nowhere, SLICEBOARD_OPENSTACK: 'auto', SLICEBOARD_SIGN_IN: 'off' })
  await addressOf(explicit)
})

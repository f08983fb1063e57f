import { chmod, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCounters } from './counters'
import { loadCredential, saveCredential } from './credential-file'
import { createJoinTokenSource } from './join-token'
import { openStateDirectory } from './state-directory'
import { lockState } from './state-lock'

let state: string
let lines: string[]
const log = { info: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) }
const at = (name: string) => path.join(state, name)
const modeOf = async (file: string) => (await lstat(file)).mode & 0o777

beforeEach(async () => {
  state = path.join(await mkdtemp(path.join(tmpdir(), 'sliceboard-state-')), 'state')
  lines = []
  await openStateDirectory(state)
})
afterEach(() => rm(path.dirname(state), { recursive: true, force: true }))

const credential = { credential: 'sbac_7_secret', hostName: 'compute-07', cloud: 'default' }

test('the state directory is for its owner alone', async () => {
  expect(await modeOf(state)).toBe(0o700)
  await chmod(state, 0o755)
  await expect(openStateDirectory(state)).rejects.toThrow('is open to other users; run "chmod 700')
  await expect(openStateDirectory('relative')).rejects.toThrow('must be an absolute path')
  await writeFile(path.join(path.dirname(state), 'file'), '')
  await expect(openStateDirectory(path.join(path.dirname(state), 'file', 'x'))).rejects.toThrow(
    'cannot be made',
  )
  await expect(openStateDirectory('/proc/no/such')).rejects.toThrow('/proc/no/such cannot be made: ')
})

test('the credential is stored for its owner alone, also over an older file', async () => {
  expect(await loadCredential(state)).toBeNull()
  await saveCredential(state, { ...credential, cloud: 'older' })
  await saveCredential(state, credential)
  expect(await modeOf(at('credential.json'))).toBe(0o600)
  expect(await loadCredential(state)).toEqual(credential)
  expect(await readdir(state)).toEqual(['credential.json'])
})

test.each([0o640, 0o604, 0o620, 0o666])('a credential with mode %o is refused', async (mode) => {
  await saveCredential(state, credential)
  await chmod(at('credential.json'), mode)
  await expect(loadCredential(state)).rejects.toThrow('is open to other users')
})

test.each(['', '{', '{}', '{"credential":"sbac_7_secret\\n","hostName":"a","cloud":"c"}'])(
  'a damaged credential %j is refused without repeating it',
  async (text) => {
    await writeFile(at('credential.json'), text, { mode: 0o600 })
    await expect(loadCredential(state)).rejects.toThrow(/credential\.json is damaged: remove it and enroll/)
    await expect(loadCredential(state)).rejects.not.toThrow('sbac')
  },
)

test('each start has a higher boot number, and lost reports are remembered', async () => {
  const first = await openCounters(state, log)
  expect(await first.raiseBoot(0)).toBe(1)
  await first.addLost(3)
  const second = await openCounters(state, log)
  expect(await second.raiseBoot(0)).toBe(2)
  expect(second.lostReports()).toBe(3)
  expect(await second.raiseBoot(57)).toBe(58)
  expect(await (await openCounters(state, log)).raiseBoot(10)).toBe(59)
})

test('damaged counters start again, with a warning', async () => {
  await writeFile(at('counters.json'), '{"boot":')
  const counters = await openCounters(state, log)
  expect(lines.join()).toContain('are damaged and start again')
  expect(await counters.raiseBoot(0)).toBe(1)
})

test('a boot number that could not be stored is not used', async () => {
  const counters = await openCounters(state, log)
  await mkdir(at('counters.json.tmp'))
  await expect(counters.raiseBoot(0)).rejects.toThrow()
  expect(counters.boot()).toBe(0)
  await counters.addLost(2)
  expect(counters.lostReports()).toBe(2)
  expect(lines.join()).toContain('could not be stored')
  await rm(at('counters.json.tmp'), { recursive: true })
  expect(await counters.raiseBoot(0)).toBe(1)
  expect((await openCounters(state, log)).lostReports()).toBe(2)
})

test('the join token comes from the command line, the named file, the own file, in this order', async () => {
  const source = (given: string | null, givenFile: string | null) =>
    createJoinTokenSource({ stateDirectory: state, given, givenFile }).read()
  expect(await source(null, null)).toBeNull()
  await writeFile(at('join-token'), 'own\n')
  await writeFile(at('named'), ' named \n')
  expect(await source('given', at('named'))).toBe('given')
  expect(await source(null, at('named'))).toBe('named')
  expect(await source(null, null)).toBe('own')
  await createJoinTokenSource({ stateDirectory: state, given: null, givenFile: null }).discard()
  expect(await source(null, null)).toBeNull()
  await createJoinTokenSource({ stateDirectory: state, given: null, givenFile: null }).discard()
})

test('a second agent is kept out until the first unlocks', async () => {
  const unlock = await lockState(state)
  await expect(lockState(state)).rejects.toThrow('Another agent works with the state directory')
  await unlock()
  await (await lockState(state))()
  expect(await readdir(state)).toEqual(['lock.2'])
})

test('the lock of a killed agent is taken over, also when its number lives on in another process', async () => {
  for (const stale of ['999999999 1', `${process.pid} other-boot.12345`, 'nonsense', '']) {
    await writeFile(at('lock.7'), stale)
    await (await lockState(state))()
    await rm(at('lock.8'))
  }
  expect(await readdir(state)).toEqual([])
})

test('of many that start at once exactly one gets the lock', async () => {
  for (let round = 0; round < 10; round += 1) {
    await writeFile(at('lock.1'), '999999999 1')
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockState(state)))
    const got = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(got).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(String(outcome.reason)).toContain('Another agent works')
    await got[0]?.()
    expect((await readdir(state)).filter((name) => name.startsWith('lock-'))).toEqual([])
  }
})

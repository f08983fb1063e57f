import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { bundleProgram, type Child, type ChildProgram } from '../testing/child-program'
import { lockDataDirectory, ownIdentity } from './lock-data-directory'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

let program: ChildProgram
let directory: string
const children: Child[] = []

beforeAll(async () => {
  program = await bundleProgram('lib/server/testing/programs/hold-lock.ts')
})
afterAll(() => program.remove())
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sliceboard-lock-'))
})
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.kill('SIGKILL')))
  await rm(directory, { recursive: true, force: true })
})

const holdLock = (): Child => {
  const child = program.start([directory])
  children.push(child)
  return child
}

const lockPath = () => join(directory, 'lock')
const writeLock = (lock: object) => writeFile(lockPath(), JSON.stringify({ id: 'other', ...lock }))

test('a second process is refused with the folder and the pid', async () => {
  const first = holdLock()
  await first.line(/locked/)
  const second = holdLock()
  expect(await second.line(/./)).toBe(
    `refused: The data folder ${directory} is in use by the process ${first.process.pid}: stop that one first, or give this one another SLICEBOARD_DATA_DIR.`,
  )
})

test('the lock of a process that was killed is taken over', async () => {
  const first = holdLock()
  await first.line(/locked/)
  await first.kill('SIGKILL')
  expect(existsSync(lockPath())).toBe(true)
  expect(await holdLock().line(/./)).toBe('locked')
})

test('of several that find the same stale lock one gets it', async () => {
  const first = holdLock()
  await first.line(/locked/)
  await first.kill('SIGKILL')
  const answers = await Promise.all(Array.from({ length: 5 }, () => holdLock().line(/./)))
  expect(answers.filter((answer) => answer === 'locked')).toHaveLength(1)
  expect(answers.filter((answer) => answer.startsWith('refused: The data folder'))).toHaveLength(4)
})

test('a pid that another process has got since is not taken for the holder', async () => {
  await writeLock({ ...ownIdentity(), startedAt: '1@another-boot' })
  const unlock = await lockDataDirectory(directory)
  expect(JSON.parse(await readFile(lockPath(), 'utf8'))).toMatchObject(ownIdentity())
  await unlock()
  expect(existsSync(lockPath())).toBe(false)
})

test('a holder in another container counts as living while it touches its lock', async () => {
  await writeLock({ pid: 7, startedAt: '1@x', scope: 'pod-a pid:[1]' })
  await expect(lockDataDirectory(directory)).rejects.toThrow(
    /was in use 0 s ago by the process 7 on pod-a pid:\[1\]: stop that one, or start again in 15 s if it is gone/,
  )
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(lockPath(), longAgo, longAgo)
  await (await lockDataDirectory(directory))()
})

test('a lock that a crash cut short is taken over', async () => {
  await writeFile(lockPath(), '{"pid":')
  await (await lockDataDirectory(directory))()
})

test('a lock that another process has taken in the meantime is left to it', async () => {
  const unlock = await lockDataDirectory(directory)
  await writeLock({ pid: 7, startedAt: '', scope: 'elsewhere' })
  await unlock()
  expect(existsSync(lockPath())).toBe(true)
})

test('a missing folder is made, for its owner only', async () => {
  const nested = join(directory, 'a', 'b')
  await (await lockDataDirectory(nested))()
  expect(existsSync(nested)).toBe(true)
})

test('a folder that cannot be written or made is named', async () => {
  await expect(lockDataDirectory('/proc/sliceboard')).rejects.toThrow(
    'The data folder /proc/sliceboard cannot be written (ENOENT): make it writable, or give another SLICEBOARD_DATA_DIR.',
  )
  const file = join(directory, 'file')
  await writeFile(file, '')
  await chmod(file, 0o400)
  await expect(lockDataDirectory(join(file, 'data'))).rejects.toThrow(/cannot be written \(ENOTDIR\)/)
})

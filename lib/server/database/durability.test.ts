import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { anyRow } from '@/lib/server/testing/any-row'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { bundleProgram, type Child, type ChildProgram } from '../testing/child-program'
import { openDatabase } from './database'

const ROUNDS = process.env.SLICEBOARD_LONG === '1' ? 5 : 2

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

let program: ChildProgram
let parent: string
let dataDirectory: string
let child: Child | null = null

beforeAll(async () => {
  program = await bundleProgram('lib/server/testing/programs/commit-rows.ts')
})
afterAll(() => program.remove())
beforeEach(async () => {
  parent = makeTemporaryDirectory('sliceboard-durability')
  dataDirectory = join(parent, 'data')
})
afterEach(async () => {
  await child?.kill('SIGKILL')
  await rm(parent, { recursive: true, force: true })
})

const open = () => openDatabase({ databaseUrl: null, dataDirectory })

type Round = { found: { rows: number; last: number }; lastAcknowledged: number }

/** Starts the writer, kills it after so many commits, and returns what it found and what it acknowledged last. */
const writeAndKill = async (mode: 'safe' | 'relaxed', commits: number): Promise<Round> => {
  child = program.start([dataDirectory, mode])
  const [, rows, last] = (await child.line(/^found /)).split(' ').map(Number)
  await child.line(new RegExp(`^${(last ?? 0) + commits}$`))
  await child.kill('SIGKILL')
  return { found: { rows: rows ?? -1, last: last ?? -1 }, lastAcknowledged: Number(child.lines.at(-1)) }
}

/** Rows are written in order of their number, so what is lost is missing at the end. */
const lostAfter = (before: Round, after: Round): number => before.lastAcknowledged - after.found.last

test('no acknowledged commit is lost by kill -9, time after time', async () => {
  let before = await writeAndKill('safe', 100)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const after = await writeAndKill('safe', 50 + round * 37)
    expect(lostAfter(before, after)).toBeLessThanOrEqual(0)
    expect(after.found.rows).toBe(after.found.last)
    before = after
  }
})

test('control: the same count finds what a relaxed commit loses', async () => {
  await (await open()).close()
  const before = await writeAndKill('relaxed', 100)
  const after = await writeAndKill('relaxed', 1)
  expect(lostAfter(before, after)).toBeGreaterThan(0)
})

test('PostgreSQL syncs and so does the file system below it', async () => {
  const database = await open()
  const settings = await database.query(
    `SELECT current_setting('fsync') AS fsync, current_setting('wal_sync_method') AS method,
            current_setting('synchronous_commit') AS commit, current_setting('full_page_writes') AS pages`,
  )
  await database.close()
  expect(settings).toEqual([{ fsync: 'on', method: 'fsync', commit: 'on', pages: 'on' }])
})

test('a first start that is killed at any moment does not stand in the way of the next', {
  timeout: 120_000,
}, async () => {
  for (const delayMs of [150, 300, 450, 600, 900]) {
    child = program.start([dataDirectory, 'safe'])
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    await child.kill('SIGKILL')
  }
  const database = await open()
  const [row] = await database.query('SELECT count(*) AS clouds FROM cloud', [], anyRow<{ clouds: number }>())
  await database.close()
  expect(row).toEqual({ clouds: 0 })
  expect(existsSync(join(dataDirectory, 'pglite.new'))).toBe(false)
})

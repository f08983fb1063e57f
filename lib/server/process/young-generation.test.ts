import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { rootDirectory } from '../root-directory'
import { createYoungGeneration } from './young-generation'

const MIB = 2 ** 20

/** What V8 is told while so many reports come in each of the seconds. */
const toldWith = (seconds: readonly number[], bytes = 16 * MIB): string[] => {
  const told: string[] = []
  let ms = 0
  const young = createYoungGeneration({
    setFlags: (flags) => told.push(flags.replace('--semi-space-growth-factor=', '')),
    bytes: () => bytes,
    nowMs: () => ms,
  })
  for (const [second, reports] of seconds.entries())
    for (let n = 1; n <= reports; n += 1) {
      ms = (second + n / reports) * 1000
      young.reportCame()
    }
  return told
}

test('it may grow while many reports come, and not before and after', () => {
  expect(toldWith([])).toEqual(['1'])
  expect(toldWith([10, 150, 199])).toEqual(['1'])
  expect(toldWith([10, 3000, 3000, 900, 20, 20, 250])).toEqual(['1', '4', '1', '4'])
})

test('a process that was started without room for it is left alone', () => {
  expect(toldWith([3000], 15 * MIB)).toEqual([])
})

/** Prints the young generation in MiB: at the start, after much that outlives collections, and after the same in a rush. */
const PROGRAM = `
import { getHeapSpaceStatistics } from 'node:v8'
import { createYoungGeneration } from ${JSON.stringify(pathToFileURL(path.join(import.meta.dirname, 'young-generation.ts')))}
let ms = 0
const young = createYoungGeneration({ nowMs: () => ms })
const told = () => console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / ${MIB})
let kept = []
const work = () => {
  for (let n = 0; n < 3_000_000; n += 1) {
    kept.push({ n, of: [n] })
    if (kept.length > 200_000) kept = []
  }
}
told()
work()
told()
for (let n = 0; n < 3000; n += 1) {
  ms += 1
  young.reportCame()
}
work()
told()`

test('V8 does as it is told', () => {
  const flags = ['--min-semi-space-size=16', '--max-semi-space-size=64', '--import', 'tsx']
  const args = [...flags, '--input-type=module', '--eval', PROGRAM]
  const output = execFileSync(process.execPath, args, { cwd: rootDirectory(), encoding: 'utf8' })
  const [start, held, grown] = output.trim().split('\n').map(Number)
  expect(start).toBe(16)
  // Two halves.
  expect(held).toBe(32)
  expect(grown).toBe(128)
}, 20_000)

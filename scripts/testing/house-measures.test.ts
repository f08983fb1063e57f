import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listSources, measureSizes, sizeOf } from './house-measures'

const ROOT = path.resolve(import.meta.dirname, '../..')
const sources = listSources(ROOT)

test('half of the files have under 100 lines, nine in ten under 250, and none has over 500', () => {
  const { problems, ...measured } = measureSizes(sources.map((file) => sizeOf(ROOT, file)))
  process.stdout.write(`sizes: ${JSON.stringify(measured)}\n`)
  expect(measured.files).toBeGreaterThan(1000)
  expect(problems).toEqual([])
})

test('what is too large is named', () => {
  const sizes = [90, 120, 260, 501].map((lines) => ({ file: `${lines}.ts`, lines }))
  expect(measureSizes(sizes)).toMatchObject({
    median: 120,
    nineInTen: 501,
    problems: [
      'half of the files have over 99 lines: 120',
      'one file in ten has over 249 lines',
      '501.ts has 501 lines, and none has over 500: split it',
    ],
  })
})

/** Biome refuses `any`, so the one way to it is to silence that rule. */
const SILENCED = ['biome-ignore', 'lint/suspicious/noExplicitAny'].join(' ')

test('nothing silences the rule against any', () => {
  expect(sources.filter((file) => readFileSync(path.join(ROOT, file), 'utf8').includes(SILENCED))).toEqual([])
  expect(readFileSync(path.join(ROOT, 'biome.json'), 'utf8')).toContain('"noExplicitAny": "error"')
})

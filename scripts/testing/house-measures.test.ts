import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listSources, measureSizes, sizeOf } from './house-measures'
import { findRepeats, textOf } from './repeated-lines'

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

const MAX_REPEATED = 11
const IS_PRODUCT_CODE = /^(?!.*(\.test\.|\.spec\.|\/testing\/)).*\.(ts|tsx|mjs)$/

test('no twelve lines in a row stand twice', () => {
  const texts = sources.filter((file) => IS_PRODUCT_CODE.test(file)).map((file) => textOf(ROOT, file))
  expect(texts.length).toBeGreaterThan(1000)
  expect(findRepeats(texts, MAX_REPEATED + 1)).toEqual([])
})

test('what is repeated is named once, by its begin; imports and comments do not count', () => {
  const body = ['const a = 1', '// why', '', 'const b = 2', 'const c = 3', 'const d = 4']
  const imports = ['import {', '  x,', "} from 'y'"]
  const one = { file: 'one.ts', text: [...imports, ...body].join('\n') }
  const two = {
    file: 'two.ts',
    text: [...imports, 'const z = 0', ...body.filter((_, at) => at !== 1)].join('\n'),
  }
  expect(findRepeats([one, two], 3)).toEqual(['two.ts:5 repeats one.ts:4'])
  expect(findRepeats([one, two], 5)).toEqual([])
})

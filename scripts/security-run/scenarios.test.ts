import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json'
import { SECURITY_SCENARIOS } from './scenarios'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const runs = SECURITY_SCENARIOS.flatMap(({ id, runs: ofScenario }) => ofScenario.map((run) => ({ id, run })))
const testRuns = runs.flatMap(({ id, run }) => (run.by === 'script' ? [] : [{ id, ...run }]))

test('every file and script that an attack names is there: of several, a runner skips what is not', () => {
  const missing = testRuns.flatMap(({ files }) => files.filter((file) => !existsSync(path.join(root, file))))
  expect(missing).toEqual([])
  const scripts = runs.flatMap(({ run }) => (run.by === 'script' ? [run.script] : []))
  expect(scripts.filter((script) => !(script in packageJson.scripts))).toEqual([])
})

test('each part of the names that an attack picks tests by is in a title, or is a file, as Playwright matches', () => {
  const unmatched = testRuns.flatMap(({ id, files, name }) => {
    if (name === undefined) return []
    const texts = [...files, ...files.flatMap((file) => read(file).match(/\btest\((['`]).*?\1/g) ?? [])]
    const parts = name.split('|').filter((part) => !texts.some((text) => text.includes(part)))
    return parts.map((part) => `${id}: ${part}`)
  })
  expect(unmatched).toEqual([])
})

test('docs/security.md has a row for each attack, and no other', () => {
  const rows = [...read('docs/security.md').matchAll(/^\| (S\d+) \|/gm)].map(([, id]) => id)
  expect(new Set(rows)).toEqual(new Set(SECURITY_SCENARIOS.map(({ id }) => id)))
})

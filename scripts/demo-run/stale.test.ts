import { mkdirSync, mkdtempSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isStale } from './stale'

let root = ''

/** A file or folder as of so many minutes after midnight. */
const touch = (name: string, minute: number): void => {
  const at = new Date(Date.UTC(2026, 10, 21, 0, minute))
  utimesSync(path.join(root, name), at, at)
}

const put = (name: string, minute: number): void => {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
  writeFileSync(path.join(root, name), name)
  touch(name, minute)
}

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'stale-'))
  put('lib/deep/one.ts', 10)
  put('lib/one.test.ts', 50)
  touch('lib/deep', 10)
  touch('lib', 10)
  put('dist/out.mjs', 20)
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

it('builds what is not there, and not what is newer than its sources', () => {
  expect(isStale(root, 'dist/other.mjs', ['lib'])).toBe(true)
  expect(isStale(root, 'dist/out.mjs', ['lib', 'absent'])).toBe(false)
})

it('builds after a change deep inside, and after a file was removed', () => {
  put('lib/deep/one.ts', 30)
  expect(isStale(root, 'dist/out.mjs', ['lib'])).toBe(true)
  touch('lib/deep/one.ts', 10)
  expect(isStale(root, 'dist/out.mjs', ['lib'])).toBe(false)
  unlinkSync(path.join(root, 'lib/deep/one.ts'))
  expect(isStale(root, 'dist/out.mjs', ['lib'])).toBe(true)
})

it('leaves tests out of account', () => {
  put('lib/one.test.ts', 59)
  touch('lib', 10)
  expect(isStale(root, 'dist/out.mjs', ['lib'])).toBe(false)
})

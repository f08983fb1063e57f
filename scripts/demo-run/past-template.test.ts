import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { copyDatabase, findTemplate, keepTemplate, templateFolder } from './past-template'

const END = '2026-11-21T12:00:00.000Z'
const after = (hours: number): Date => new Date(Date.parse(END) + hours * 3_600_000)

let root = ''
const database = (text: string): string => {
  const folder = path.join(root, text)
  mkdirSync(path.join(folder, 'base'), { recursive: true })
  writeFileSync(path.join(folder, 'base', 'rows'), text)
  return folder
}
const keep = (folder: string, text: string): void =>
  keepTemplate(folder, { dataDirectory: database(text), startAt: END, endAt: END, limits: { p1: 40 } })

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'template-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('is found for a week, and not before its end', () => {
  const folder = templateFolder(root, ['program', '1 all'])
  expect(findTemplate(folder, after(1))).toBeNull()
  keep(folder, 'year')
  const found = findTemplate(folder, after(167))
  expect(found).toEqual({
    dataDirectory: path.join(folder, 'data'),
    startAt: END,
    endAt: END,
    limits: { p1: 40 },
  })
  expect(findTemplate(folder, after(169))).toBeNull()
  expect(findTemplate(folder, after(-1))).toBeNull()
})

it('is a copy, of which each demo takes another', () => {
  const folder = templateFolder(root, ['program', '1 all'])
  keep(folder, 'year')
  rmSync(path.join(root, 'year'), { recursive: true })
  const copy = path.join(root, 'demo', 'data')
  copyDatabase(path.join(folder, 'data'), copy)
  writeFileSync(path.join(copy, 'base', 'rows'), 'continued')
  expect(readFileSync(path.join(folder, 'data', 'base', 'rows'), 'utf8')).toBe('year')
})

it('is that of one program, seed and size, and the newest takes the place of all', () => {
  const [one, other] = [
    templateFolder(root, ['program', '1 all']),
    templateFolder(root, ['program', '2 all']),
  ]
  expect(new Set([one, other, templateFolder(root, ['later program', '1 all'])]).size).toBe(3)
  keep(one, 'first')
  keep(one, 'second')
  expect(readFileSync(path.join(one, 'data', 'base', 'rows'), 'utf8')).toBe('second')
  keep(other, 'third')
  expect(existsSync(one)).toBe(false)
  expect(readdirSync(path.dirname(other))).toEqual([path.basename(other)])
})
